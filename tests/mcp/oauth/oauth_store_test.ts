import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { OAuthStore } from "../../../mcp/oauth/oauth_store.ts";

const URL_ONE = "https://mcp.example/mcp";

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const base = await Deno.makeTempDir({ prefix: "cloister-store-" });
  return {
    path: join(base, "cache"),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

function tokens(name: string) {
  return { tokens: { access_token: name, token_type: "Bearer", issuer: "https://as.example" } };
}

Deno.test("OAuthStore has no login before one was written, and writes nothing for reading", async () => {
  await using dir = await folder();
  deepStrictEqual(await new OAuthStore(dir.path).login(URL_ONE), {});
  await rejects(Deno.stat(dir.path), Deno.errors.NotFound);
});

Deno.test({
  name: "OAuthStore writes a file that only its owner can read, and leaves no other behind",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using dir = await folder();
    const store = new OAuthStore(dir.path);
    await store.changeLogin(URL_ONE, () => tokens("one"));
    await store.changeLogin(URL_ONE, () => tokens("two"));
    for await (const { name } of Deno.readDir(dir.path)) {
      strictEqual((await Deno.stat(join(dir.path, name))).mode! & 0o777, 0o600, name);
    }
    strictEqual((await Deno.stat(dir.path)).mode! & 0o777, 0o700);
    const names = [...Deno.readDirSync(dir.path)].map(({ name }) => name).toSorted();
    deepStrictEqual(names, ["mcp-logins.json", "mcp-logins.json.write.lock"]);
  },
});

Deno.test({
  name: "OAuthStore closes a file that others could read",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using dir = await folder();
    const store = new OAuthStore(dir.path);
    await store.changeLogin(URL_ONE, () => tokens("one"));
    await Deno.chmod(store.path, 0o644);
    await store.read();
    strictEqual((await Deno.stat(store.path)).mode! & 0o777, 0o600);
  },
});

Deno.test("OAuthStore says of a damaged file what to do, and nothing of what is in it", async () => {
  await using dir = await folder();
  const store = new OAuthStore(dir.path);
  const faulty = [
    '{"servers": {"x": {"tokens": {"access_token": "very-secret"',
    '{"version": 2, "servers": {}, "clients": {}, "t": "very-secret"}',
    '{"version": 1, "servers": {"https://a/": {"tokens": {"access_token": 5}}}, "clients": {}}',
    '{"version": 1, "servers": {}, "clients": {"i": {"client_id": "very-secret"}}}',
    "[]",
  ];
  await Deno.mkdir(dir.path);
  for (const text of faulty) {
    await Deno.writeTextFile(store.path, text);
    await rejects(store.read(), (error: Error) => {
      strictEqual(
        error.message,
        `Cannot read the stored logins in ${JSON.stringify(store.path)}: expected the JSON that ` +
          `"cloister mcp login" writes; delete the file and sign in again`,
      );
      strictEqual(error.cause, undefined);
      return true;
    });
    await rejects(store.changeLogin(URL_ONE, () => tokens("new")));
    strictEqual(await Deno.readTextFile(store.path), text);
  }
});

Deno.test("OAuthStore keeps servers apart, and takes one spelling of a URL", async () => {
  await using dir = await folder();
  const store = new OAuthStore(dir.path);
  await store.changeLogin("https://MCP.example/mcp#x", () => tokens("one"));
  await store.changeLogin("https://mcp.example/other", () => tokens("two"));
  await store.changeLogin("https://mcp.example/__proto__", () => tokens("three"));
  strictEqual((await store.login(URL_ONE)).tokens?.access_token, "one");
  await store.changeLogin("https://mcp.example/other", () => undefined);
  deepStrictEqual(await store.login("https://mcp.example/other"), {});
  strictEqual((await store.login(URL_ONE)).tokens?.access_token, "one");
});

Deno.test("OAuthStore loses nothing when two processes write at the same time", async () => {
  await using dir = await folder();
  const script = new URL("../../fixtures/mcp/writes_logins.ts", import.meta.url);
  const runs = ["a", "b"].map((name) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", script.href, dir.path, name, "25"],
    }).output()
  );
  for (const { code, stderr } of await Promise.all(runs)) {
    strictEqual(code, 0, new TextDecoder().decode(stderr));
  }
  strictEqual(Object.keys((await new OAuthStore(dir.path).read()).servers).length, 50);
});
