import assert from "node:assert/strict";
import { Client, type ElicitRequest } from "@modelcontextprotocol/client";
import {
  connectHttp,
  connectStdio,
  makePlaces,
  type Places,
  spawnWords,
  startServe,
  textOf,
} from "./_mcp_arena.ts";

// Control characters but line break and tab, what has no width, turns the direction, or is a tag.
const UNSAFE =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200c\u200e-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const ON_TERMINAL = { ignore: Deno.build.os === "windows" || !hasScript() };

function hasScript(): boolean {
  try {
    return new Deno.Command("script", { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

/** Runs the command line on a terminal of its own, and gives what a person sees there. */
async function onTerminal(
  places: Places,
  words: readonly string[],
  answers: readonly (readonly [question: RegExp, answer: string])[] = [],
): Promise<string> {
  const { program, args, options } = spawnWords(places, words, { NO_COLOR: "1", TERM: "xterm" });
  const line = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = new Deno.Command("script", {
    ...options,
    args: ["-qefc", line, "/dev/null"],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const open = [...answers];
  let text = "";
  for await (const bytes of child.stdout) {
    text += new TextDecoder().decode(bytes);
    const next = open[0];
    if (next === undefined || !next[0].test(text)) continue;
    open.shift();
    await writer.write(new TextEncoder().encode(next[1]));
  }
  await writer.close().catch(() => {});
  await child.status;
  assert.deepEqual(open, [], `Nobody was asked: ${text}`);
  // The line discipline's own, and the one sequence that the progress line uses.
  // deno-lint-ignore no-control-regex -- a control sequence is what is looked for
  return text.replaceAll("\r\n", "\n").replaceAll(/(?:\S Discovering tools …)?\r\x1b\[2K/g, "");
}

function assertHarmless(text: string, what: string): void {
  const at = UNSAFE.exec(text);
  const near = JSON.stringify(
    text.slice(Math.max(0, (at?.index ?? 0) - 60), (at?.index ?? 0) + 60),
  );
  assert.equal(at, null, `${what}: ${near}`);
}

Deno.test("attack [A12] texts of tools on a terminal: neutralised", ON_TERMINAL, async () => {
  await using places = await makePlaces(["a12"]);
  const call = (way: string) => ["call", "paints", JSON.stringify({ way })];
  const shown: readonly (readonly [words: readonly string[], holds: RegExp])[] = [
    [["list"], /paints/],
    [["list", "--json"], /before\\u001b/],
    [["explain", "paints"], /paints/],
    [["scan", places.root], /paints/],
    [call("result"), /before\\u\{1b\}\[2J.*\\u\{9b\}.*\\u\{202e\}.*\\u\{e0041\}.* after/],
    [call("log"), /before\\u\{1b\}/],
    [call("progress"), /before\\u\{1b\}/],
    [call("throw"), /before.*\\u\{202E\}.* after/],
    [[...call("result"), "--json"], /before\\\\?u001b/],
  ];
  for (const [words, holds] of shown) {
    const text = await onTerminal(places, words);
    assertHarmless(text, words.join(" "));
    assert.match(text, holds, words.join(" "));
  }
});

Deno.test("attack [A12] a question of a tool on a terminal: neutralised", ON_TERMINAL, async () => {
  await using places = await makePlaces(["a12"]);
  const text = await onTerminal(places, ["call", "paints", '{"way":"elicit"}'], [
    [/Answer\? \[Y\/n\] $/, "y\n"],
    [/after: $/, "Ann\n"],
  ]);
  assertHarmless(text, "elicitation");
  assert.match(text, /before\\u\{1b\}\[2J/);
});

Deno.test(
  "attack [A12] twin plain text and joined pictures reach the terminal as they are",
  ON_TERMINAL,
  async () => {
    await using places = await makePlaces(["a12"]);
    const text = await onTerminal(places, ["call", "paints", '{"way":"plain"}']);
    // Deno itself may have something to say of its caches before.
    assert.equal(text.trim().split("\n").at(-1), "plain text 👩‍🚀");
  },
);

const SERVER = new URL("../fixtures/mcp/paints.ts", import.meta.url).pathname;
const SERVERS = {
  enabledToolsets: ["paints"],
  mcpServers: { paints: { command: "deno", args: ["run", "--no-prompt", SERVER] } },
};

Deno.test(
  "attack [A12] texts of an MCP server on a terminal: neutralised",
  ON_TERMINAL,
  async () => {
    await using places = await makePlaces([], SERVERS);
    const call = (way: string) => ["call", "mcp__paints__say", JSON.stringify({ way })];
    const shown: readonly (readonly [words: readonly string[], holds: RegExp])[] = [
      [["list"], /mcp__paints__say/],
      [["list", "--json"], /mcp__paints__say/],
      [["explain", "mcp__paints__say"], /mcp__paints__say/],
      [["mcp", "list"], /paints +connected/],
      [["mcp", "list", "--json"], /before/],
      [call("say"), /before/],
      [call("fail"), /before/],
      [[...call("say"), "--json"], /before/],
    ];
    for (const [words, holds] of shown) {
      const text = await onTerminal(places, words);
      assertHarmless(text, words.join(" "));
      assert.match(text, holds, words.join(" "));
    }
  },
);

Deno.test(
  "attack [A12] twin plain text of an MCP server reaches the terminal as it is",
  ON_TERMINAL,
  async () => {
    await using places = await makePlaces([], SERVERS);
    const text = await onTerminal(places, [
      "call",
      "mcp__paints__say",
      '{"way":"plain"}',
      "--quiet",
    ]);
    assert.match(text, /plain text 👩‍🚀/);
  },
);

for (const [transport, connect] of [["stdio", connectStdio], ["HTTP", connectHttp]] as const) {
  Deno.test(`attack [A12] texts of tools in the log of the MCP server, ${transport}: neutralised`, async () => {
    await using places = await makePlaces(["a12"]);
    let stderr: readonly string[];
    {
      await using connected = await connect(places);
      for (const way of ["log", "progress", "throw"]) await connected.call("paints", { way });
      ({ stderr } = connected);
    }
    assertHarmless(stderr.join("\n"), "stderr");
  });

  Deno.test(`attack [A12] questions that go through the MCP server, ${transport}: neutralised`, async () => {
    await using places = await makePlaces(["a12"]);
    const asked: ElicitRequest["params"][] = [];
    await using connected = await connect(places, () => {
      const client = new Client(
        { name: "person", version: "1" },
        { capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return { action: "accept", content: { name: "Ann" } };
      });
      return client;
    });
    const result = await connected.call("paints", { way: "elicit" });
    assert.equal(textOf(result), "accept");
    assert.equal(asked.length, 1);
    const { message } = asked[0]!;
    assertHarmless(message, "message");
    assert.match(message, /before/);
    const { requestedSchema } = asked[0] as { readonly requestedSchema?: unknown };
    assertHarmless(
      JSON.stringify(requestedSchema).replaceAll(
        /\\u([0-9a-f]{4})/g,
        (_, hex) => String.fromCharCode(parseInt(hex, 16)),
      ),
      "schema",
    );
  });
}

Deno.test("attack [A12] texts of tools in the log of serve: neutralised", async () => {
  await using places = await makePlaces(["a12"]);
  const served = await startServe(places);
  for (const way of ["log", "throw"]) {
    const answer = await fetch(`${served.url}/tools/paints/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ way }),
    });
    await answer.body?.cancel();
  }
  await served[Symbol.asyncDispose]();
  const { stdout, stderr } = served;
  assertHarmless([...stdout, ...stderr].join("\n"), "log");
  assert.ok([...stdout, ...stderr].some((line) => line.includes("before")), "Nothing was logged");
});
