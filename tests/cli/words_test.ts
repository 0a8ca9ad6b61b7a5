import assert from "node:assert/strict";
import { readArguments } from "../../cli/arguments.ts";
import { UsageError } from "../../cli/command.ts";
import { readEnvironment } from "../../cli/environment.ts";
import { permissionsText } from "../../cli/grants_text.ts";
import { isLoopback } from "../../cli/serve_options.ts";
import { isAtLeast } from "../../runtime/version_floor.ts";

Deno.test("isAtLeast() compares numbers, not texts", () => {
  const cases: [string, boolean][] = [
    ["2.8.1", true],
    ["2.8.0", false],
    ["2.10.0", true],
    ["1.46.3", false],
    ["3.0.0", true],
    ["2.8.1-rc.1", true],
    ["2.9.6+abc", true],
    ["2.8", false],
  ];
  for (const [version, expected] of cases) {
    assert.equal(isAtLeast(version, "2.8.1"), expected, version);
  }
});

Deno.test("readEnvironment() finds the cache folder by the usual rules", {
  ignore: Deno.build.os !== "linux",
}, () => {
  const cacheDir = (variables: Record<string, string>) =>
    readEnvironment((name) => variables[name]).cacheDir;
  assert.equal(cacheDir({ CLOISTER_CACHE: "/c", XDG_CACHE_HOME: "/x", HOME: "/h" }), "/c");
  assert.equal(cacheDir({ XDG_CACHE_HOME: "/x", HOME: "/h" }), "/x/cloister");
  assert.equal(cacheDir({ XDG_CACHE_HOME: "relative", HOME: "/h" }), "/h/.cache/cloister");
  assert.equal(cacheDir({ XDG_CACHE_HOME: "", HOME: "/h" }), "/h/.cache/cloister");
  assert.equal(cacheDir({}), undefined);
});

Deno.test("readEnvironment() takes NO_COLOR only when it is not empty", () => {
  assert.equal(readEnvironment((name) => name === "NO_COLOR" ? "1" : undefined).noColor, true);
  assert.equal(readEnvironment((name) => name === "NO_COLOR" ? "" : undefined).noColor, false);
});

Deno.test("permissionsText() names what is declared and nothing else", () => {
  assert.equal(
    permissionsText({ net: ["a.example:443"], read: ["$WORKSPACE", "$TMP"], run: false, env: [] }),
    "read=$WORKSPACE,$TMP net=a.example:443",
  );
  assert.equal(permissionsText({}), "none");
});

Deno.test("isLoopback() knows what other machines cannot reach", () => {
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1"]) {
    assert.ok(isLoopback(host), host);
  }
  for (const host of ["0.0.0.0", "::", "192.168.0.2", "127.example", "localhost.example"]) {
    assert.ok(!isLoopback(host), host);
  }
});

Deno.test("readArguments() takes JSON text, stdin, or nothing", async () => {
  const stdin = () => Promise.resolve('{"from":"stdin"}');
  assert.equal(await readArguments(undefined, stdin), "{}");
  assert.equal(await readArguments('{"a":1}', stdin), '{"a":1}');
  assert.equal(await readArguments("-", stdin), '{"from":"stdin"}');
  for (const text of ["", "{", "[]", "null", "7", '"x"']) {
    await assert.rejects(readArguments(text, stdin), UsageError, text);
  }
});
