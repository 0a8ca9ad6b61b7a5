import assert from "node:assert/strict";

const COPIES = new URL("../../fixtures/mcp/copies_stdin.ts", import.meta.url).pathname;
const UNIX = { ignore: Deno.build.os === "windows" };

function command(line: string): Deno.Command {
  return new Deno.Command("sh", {
    args: ["-c", line, Deno.execPath(), "run", "--no-prompt", "--no-check", COPIES],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

async function copy(line: string, bytes: Uint8Array): Promise<Deno.CommandOutput> {
  const child = command(line).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(bytes).catch(() => {});
  await writer.close().catch(() => {});
  return await output;
}

async function digest(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice())).toHex();
}

function someBytes(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255);
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("openStandardStreams() opens pipes as sockets and loses nothing", UNIX, async () => {
  const bytes = someBytes(3_000_000);
  const { success, stdout, stderr } = await copy('exec "$0" "$@"', bytes);
  assert.ok(success, text(stderr));
  assert.equal(text(stderr).trim(), '["socket","socket"]');
  assert.equal(await digest(stdout), await digest(bytes));
});

Deno.test("openStandardStreams() leaves files as they are", UNIX, async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "from a file");
    const { stdout, stderr } = await copy(`exec "$0" "$@" < '${path}'`, new Uint8Array());
    assert.equal(text(stderr).trim(), '["own","socket"]');
    assert.equal(text(stdout), "from a file");
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("openStandardStreams() leaves a pipe as it is that stderr shares", UNIX, async () => {
  const { stdout } = await copy('exec "$0" "$@" 2>&1', new TextEncoder().encode("hello"));
  assert.equal(text(stdout), '["own","own"]\nhello');
});

Deno.test("openStandardStreams() tells the writer when the reader went away", UNIX, async () => {
  const line = '"$0" "$@" quiet | head -c 10';
  const { stdout, stderr } = await copy(line, someBytes(1_000_000));
  assert.equal(stdout.length, 10);
  assert.match(text(stderr), /EPIPE|broken pipe/i);
});
