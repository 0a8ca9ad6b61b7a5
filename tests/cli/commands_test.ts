import assert from "node:assert/strict";
import { join } from "node:path";
import { BROKEN, FAILING, GOOD, linesOf, makeHome } from "./child.ts";

Deno.test("list --json prints the contract's shape, unavailable tools with their reason", async () => {
  await using home = await makeHome();
  const { code, stdout, stderr } = await home.run("list", "--root", GOOD, "--json");
  assert.equal(code, 0, stderr);
  const list = JSON.parse(stdout);
  assert.deepEqual(Object.keys(list), ["generation", "tools", "failures"]);
  const byName = new Map(list.tools.map((tool: { name: string }) => [tool.name, tool]));
  assert.ok(byName.has("read_file"), "the built-in tools are there");
  const echo = byName.get("fixture_echo") as Record<string, unknown>;
  assert.deepEqual(echo, {
    name: "fixture_echo",
    toolset: "fixture",
    description: "Say it again \x1b[31mloudly\u202e.",
    emoji: "🔊",
    available: true,
    isolation: "worker",
    permissions: {},
    source: { kind: "file", path: join(GOOD, "fixture_echo.ts"), line: 3 },
    timeoutMs: 30_000,
    maxResultSizeChars: 100_000,
  });
  const needs = byName.get("fixture_needs") as Record<string, unknown>;
  assert.equal(needs.available, false);
  assert.match(String(needs.reason), /cloister-no-such-program/);
  assert.deepEqual(list.failures, []);
  assert.ok(!stdout.includes("\u202e"), "invisible characters are escaped");
});

Deno.test("list prints a table, and failures with their place on stderr", async () => {
  await using home = await makeHome();
  const { code, stdout, stderr } = await home.run("list", "--root", BROKEN, "--toolset", "fixture");
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "NAME          TOOLSET  AVAILABLE  ISOLATION  PERMISSIONS\n" +
      "fixture_echo  fixture  yes        worker     none\n",
  );
  assert.match(stderr, /^error: tests\/fixtures\/cli\/broken\/syntax\.ts:\d+:\d+: .+ \[\w+\]$/m);
});

Deno.test("list leaves out toolsets that the configuration does not enable, unless --all", async () => {
  await using home = await makeHome();
  const config = join(home.dir, "cloister.json");
  await Deno.writeTextFile(config, '{"disabledToolsets":["fixture"]}');
  const words = ["list", "--root", GOOD, "--config", config, "--json"];
  const names = async (...more: string[]) =>
    JSON.parse((await home.run(...words, ...more)).stdout).tools.map(({ name }: { name: string }) =>
      name
    );
  const usual = await names();
  assert.ok(usual.includes("read_file") && !usual.includes("fixture_echo"), usual.join());
  assert.ok((await names("--all")).includes("fixture_echo"));
});

Deno.test("a configuration with a fault ends a command with its place and exit code 1", async () => {
  await using home = await makeHome();
  const config = join(home.dir, "cloister.json");
  await Deno.writeTextFile(config, '{\n  "limts": {}\n}');
  const { code, stdout, stderr } = await home.run("list", "--config", config);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /cloister\.json:2:\d+/);
});

Deno.test("a workspace brings neither tools nor a configuration of its own", async () => {
  await using home = await makeHome();
  await Deno.mkdir(join(home.dir, "tools"));
  await Deno.copyFile(join(GOOD, "fixture_echo.ts"), join(home.dir, "tools", "planted.ts"));
  await Deno.writeTextFile(join(home.dir, "cloister.json"), '{"disabledToolsets":["file"]}');
  const { stdout } = await home.run("list", "--workspace", home.dir, "--json");
  const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("read_file") && !names.includes("fixture_echo"), names.join());
});

Deno.test("scan exits with 1 for a folder with errors, and names every file", async () => {
  await using home = await makeHome();
  const { code, stdout } = await home.run("scan", BROKEN, "--json");
  assert.equal(code, 1);
  const report = JSON.parse(stdout);
  assert.deepEqual(Object.keys(report), ["modules", "cache", "durationMs"]);
  const statuses = report.modules.map((module: { path: string; status: string }) => [
    module.path.slice(BROKEN.length + 1),
    module.status,
  ]);
  assert.deepEqual(statuses, [["fine.ts", "registered"], ["syntax.ts", "failed"]]);
  const [diagnostic] = report.modules[1].diagnostics;
  assert.equal(diagnostic.severity, "error");
  assert.equal(diagnostic.path, join(BROKEN, "syntax.ts"));
  assert.ok(diagnostic.line >= 1 && diagnostic.column >= 1);
});

Deno.test("scan and list show what does not load, with its place and reason", async () => {
  await using home = await makeHome();
  const says =
    `throws.ts:11:7: Cannot load the module of tool "fixture_throws": Broken after its registration`;
  const scan = await home.run("scan", FAILING);
  assert.equal(scan.code, 1);
  assert.match(scan.stdout, /good\.ts +registered +fixture_good$/m);
  assert.match(scan.stdout, /throws\.ts +failed/);
  assert.equal(scan.stderr.split(says).length, 2, scan.stderr);
  assert.match(scan.stderr, /Could not import tool module \S+throws\.ts: .* \[module_failed\]/);
  for (const more of [[], ["--all"]]) {
    const list = await home.run("list", "--root", FAILING, ...more);
    assert.equal(list.code, 0, list.stderr);
    assert.match(list.stdout, /^fixture_good /m);
    assert.doesNotMatch(list.stdout, /fixture_throws/);
    assert.equal(list.stderr.split(says).length, 2, list.stderr);
  }
  const json = JSON.parse((await home.run("list", "--root", FAILING, "--json")).stdout);
  assert.deepEqual(
    json.failures.map(({ code, path, line, column }: Record<string, unknown>) => [
      code,
      path,
      line,
      column,
    ]),
    [["load_failed", join(FAILING, "throws.ts"), 11, 7]],
  );
});

Deno.test("scan exits with 0 for a good folder, 1 for one that is not there", async () => {
  await using home = await makeHome();
  const good = await home.run("scan", GOOD);
  assert.equal(good.code, 0, good.stderr);
  assert.match(good.stdout, /fixture_echo\.ts +registered +fixture_echo$/m);
  const missing = await home.run("scan", "/nowhere/at/all");
  assert.deepEqual([missing.code, missing.stdout], [1, ""]);
  assert.match(missing.stderr, /^error: Cannot scan "\/nowhere\/at\/all"/);
});

Deno.test("call prints the content, and reads arguments from stdin", async () => {
  await using home = await makeHome();
  const words = ["call", "fixture_echo", "--root", GOOD];
  const plain = await home.run(...words, '{"text":"hé"}');
  assert.deepEqual([plain.code, plain.stdout], [0, '{"text":"hé"}\n'], plain.stderr);
  const piped = await home.runWithInput('{"text":"from stdin"}', ...words, "-", "--json");
  assert.equal(piped.code, 0, piped.stderr);
  const result = JSON.parse(piped.stdout);
  assert.deepEqual([result.ok, result.name, result.end], [true, "fixture_echo", "completed"]);
  assert.equal(result.content, '{"text":"from stdin"}');
});

Deno.test("call exits with 1 for a failed call, its text on stderr or its result on stdout", async () => {
  await using home = await makeHome();
  const words = ["call", "--root", GOOD];
  const failed = await home.run(...words, "fixture_echo", '{"text":"fail"}');
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /^error: tool_error: .*it was told to/m);
  const json = await home.run(...words, "fixture_echo", "{}", "--json");
  assert.deepEqual([json.code, JSON.parse(json.stdout).error.code], [1, "invalid_arguments"]);
  const unknown = await home.run(...words, "fixture_ecoh", "--json");
  const { error, content } = JSON.parse(unknown.stdout);
  assert.deepEqual([unknown.code, error.code], [1, "unknown_tool"]);
  assert.match(content, /fixture_echo/);
  const denied = await home.run(...words, "fixture_snoop", "--json");
  assert.deepEqual([denied.code, JSON.parse(denied.stdout).error.code], [1, "permission_denied"]);
});

Deno.test("call ends with timeout when --timeout-ms passes", async () => {
  await using home = await makeHome();
  const words = ["call", "fixture_wait", "--root", GOOD, "--timeout-ms", "300", "--json"];
  const { code, stdout } = await home.run(...words);
  assert.deepEqual([code, JSON.parse(stdout).error.code], [1, "timeout"]);
});

Deno.test("call is cancelled by Ctrl-C and exits with 130", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using home = await makeHome();
  const child = home.spawn(["call", "fixture_wait", "--root", GOOD, "--json"]);
  const stdout = new Response(child.stdout).text();
  for await (const line of linesOf(child.stderr)) {
    if (line.includes("progress 1/2")) child.kill("SIGINT");
  }
  assert.equal((await child.status).code, 130);
  assert.equal(JSON.parse(await stdout).error.code, "cancelled");
});

Deno.test("explain says where a tool comes from, and exits with 1 for an unknown name", async () => {
  await using home = await makeHome();
  const known = await home.run("explain", "fixture_echo", "--root", GOOD);
  assert.equal(known.code, 0, known.stderr);
  assert.match(known.stdout, /^source +tests\/fixtures\/cli\/good\/fixture_echo\.ts:3$/m);
  assert.match(known.stdout, /^owner +user$/m);
  const unknown = await home.run("explain", "fixture_ecoh", "--root", GOOD, "--json");
  const explanation = JSON.parse(unknown.stdout);
  assert.deepEqual([unknown.code, explanation.found], [1, false]);
  assert.ok(explanation.suggestions.includes("fixture_echo"));
});

Deno.test("doctor --json and permissions --json print the contract's shapes", async () => {
  await using home = await makeHome();
  const doctor = JSON.parse((await home.run("doctor", "--json")).stdout);
  assert.equal(doctor.deno, Deno.version.deno);
  assert.equal(doctor.isolation, "cell");
  for (const check of doctor.checks) {
    assert.deepEqual(Object.keys(check).toSorted(), ["detail", "id", "name", "status"]);
    assert.ok(["pass", "fail", "skip"].includes(check.status));
  }
  const { flags } = JSON.parse((await home.run("permissions", "--json")).stdout);
  assert.ok(flags.length > 0);
  for (const flag of flags) assert.match(flag, /^--[a-z-]+(=.+)?$/);
  assert.ok(!flags.some((flag: string) => /^(-A|--allow-all)$/.test(flag)));
});

Deno.test("new writes a file that scan takes and call runs", async () => {
  await using home = await makeHome();
  const root = join(home.dir, "mine");
  assert.equal((await home.run("new", "shout", "--root", root)).code, 0);
  const scan = await home.run("scan", root, "--json");
  assert.equal(scan.code, 0, scan.stdout);
  assert.deepEqual(JSON.parse(scan.stdout).modules[0].tools, ["shout"]);
  const call = await home.run("call", "shout", '{"text":"hello"}', "--root", root);
  assert.deepEqual([call.code, call.stdout], [0, '{"characters":5}\n'], call.stderr);
});

Deno.test("list ends quietly when its reader goes away", async () => {
  await using home = await makeHome();
  const child = home.spawn(["list", "--root", GOOD]);
  await child.stdout.cancel();
  const [status, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
  assert.equal(status.code, 0);
  assert.doesNotMatch(stderr, /BrokenPipe|EPIPE|at file:/);
});
