import assert from "node:assert/strict";
import { UsageError } from "../../cli/command.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { checkArity, parseLine } from "../../cli/parse.ts";

function usage(message: RegExp, ...words: string[]): void {
  assert.throws(
    () => {
      const { command, args } = parseLine(words, COMMANDS);
      if (command) checkArity(command, args);
    },
    (error) =>
      error instanceof UsageError && message.test(error.message) || assert.fail(String(error)),
  );
}

Deno.test("parseLine() takes options before and after the command", () => {
  const { command, options, args } = parseLine(
    ["--json", "call", "--root", "a", "read_file", "-q", '{"path":"-x"}', "--root=b"],
    COMMANDS,
  );
  assert.equal(command?.name, "call");
  assert.deepEqual(args, ["read_file", '{"path":"-x"}']);
  assert.deepEqual(options.texts("root"), ["a", "b"]);
  assert.deepEqual([options.flag("json"), options.flag("quiet"), options.flag("no-color")], [
    true,
    true,
    false,
  ]);
  assert.equal(options.text("workspace"), undefined);
});

Deno.test("parseLine() takes the last value of an option that counts once", () => {
  const { options } = parseLine(["serve", "--port", "1", "--port=2"], COMMANDS);
  assert.equal(options.text("port"), "2");
});

Deno.test("parseLine() leaves a dash and what follows two dashes to the command", () => {
  assert.deepEqual(parseLine(["call", "x", "-"], COMMANDS).args, ["x", "-"]);
  assert.deepEqual(parseLine(["call", "--", "--odd", "{}"], COMMANDS).args, ["--odd", "{}"]);
});

Deno.test("parseLine() gives no command for an empty line", () => {
  assert.equal(parseLine([], COMMANDS).command, undefined);
  assert.ok(parseLine(["-h"], COMMANDS).options.flag("help"));
});

Deno.test("parseLine() suggests near commands and options", () => {
  usage(/Unknown command "lsit"; did you mean list\?/, "lsit");
  usage(/Unknown command "__proto__"$/, "__proto__");
  usage(/Unknown option "--jsno" for the command "list"; did you mean --json\?/, "list", "--jsno");
  usage(/Unknown option "--frobnicate" for the command "list"$/, "list", "--frobnicate");
  usage(/Unknown option "-x"/, "list", "-x");
  usage(/Unknown option "--constructor"/, "list", "--constructor");
});

Deno.test("parseLine() refuses another command's options", () => {
  usage(/Unknown option "--port" for the command "list"/, "list", "--port", "1");
});

Deno.test("parseLine() refuses missing and superfluous values", () => {
  usage(/--root needs a value: --root=DIR/, "list", "--root");
  usage(/--root needs a value/, "list", "--root", "--json");
  usage(/--root needs a value/, "list", "--root=");
  usage(/--json takes no value, but got "yes"/, "list", "--json=yes");
  assert.deepEqual(parseLine(["list", "--root=--odd"], COMMANDS).options.texts("root"), ["--odd"]);
});

Deno.test("checkArity() refuses too few and too many arguments", () => {
  usage(/Cannot run "call" with 0 arguments; usage: cloister call NAME \[JSON or -\]/, "call");
  usage(/"explain" with 2 arguments: "b" is too much/, "explain", "a", "b");
  usage(/"list" with 1 argument: "x" is too much/, "list", "x");
});
