import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { DANGER_RULES } from "../../../runtime/approval/command_analysis.ts";
import { findDangers } from "../../../runtime/approval/dangerous_commands.ts";

function table(name: string): string[] {
  const file = new URL(`../../fixtures/approval/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").split("\n")
    .filter((line) => line !== "" && !line.startsWith("## "))
    .map((line) => line.replaceAll("⏎", "\n"));
}

function levelOf(command: string): string {
  return findDangers(command)[0]?.level ?? "harmless";
}

for (const level of ["hardline", "dangerous", "harmless"] as const) {
  Deno.test(`findDangers() finds ${level} whatever is ${level}`, () => {
    const commands = table(level);
    assert.ok(commands.length > 100, `${commands.length} commands`);
    const wrong = commands.filter((command) => levelOf(command) !== level)
      .map((command) => `${levelOf(command)}: ${command}`);
    assert.deepEqual(wrong, []);
  });
}

Deno.test("findDangers() says by a word and a sentence what it found, the worst first", () => {
  assert.deepEqual(findDangers("rm -rf build; reboot"), [
    {
      id: "power",
      level: "hardline",
      what: "shuts the machine down, restarts it or puts it to sleep",
    },
    {
      id: "delete_recursively",
      level: "dangerous",
      what: "deletes folders with everything in them",
    },
  ]);
});

Deno.test("findDangers() has no rule that no command of the tables meets", () => {
  const met = new Set(
    [...table("hardline"), ...table("dangerous")].flatMap(findDangers)
      .map(({ id, level }) => `${level} ${id}`),
  );
  const idle = DANGER_RULES.map(({ id, level }) => `${level} ${id}`).filter((rule) =>
    !met.has(rule)
  );
  assert.deepEqual([...new Set(idle)], []);
});

Deno.test("findDangers() finds the same behind any wrappers, in any order", () => {
  const wrapper = fc.constantFrom(
    "sudo ",
    "sudo -n -u root ",
    "env A=1 ",
    "nohup ",
    "timeout 5 ",
    "nice -n 3 ",
    "command ",
    "busybox ",
    "setsid -w ",
    "A=1 B='x y' ",
    "exec ",
  );
  fc.assert(fc.property(
    fc.array(wrapper, { maxLength: 8 }).filter((all) =>
      all.every((one, index) => !one.startsWith("A=1 B") || index === 0)
    ),
    fc.constantFrom("reboot", "rm -rf /", "mkfs.ext4 /dev/sda", "kill -9 -1"),
    (wrappers, command) => assert.equal(levelOf(wrappers.join("") + command), "hardline"),
  ));
});

Deno.test("findDangers() finds the same however deep a script is quoted inside others", () => {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  fc.assert(fc.property(
    fc.array(fc.constantFrom("sh -c", "bash -lc", "eval", "sudo sh -c"), { maxLength: 5 }),
    (shells) => {
      const command = shells.reduce((inner, shell) => `${shell} ${quote(inner)}`, "rm -rf /");
      assert.equal(levelOf(command), "hardline");
    },
  ));
});

Deno.test("findDangers() takes nothing for a command that is one quoted word of echo", () => {
  fc.assert(fc.property(fc.string(), fc.constantFrom(...table("hardline")), (text, command) => {
    const word = `'${`${text} ${command}`.replaceAll("'", `'\\''`)}'`;
    assert.deepEqual(findDangers(`echo ${word}`), []);
  }));
});

Deno.test("findDangers() still finds a command that follows any text which a shell reads to its end", () => {
  // Words without what could open a quote, a comment or a here-document.
  const word = fc.stringMatching(/^[a-z0-9_./-]{1,8}$/).filter((text) => text !== "case");
  const separator = fc.constantFrom(" ; ", " && ", " | ", "\n", " & ", " || ");
  fc.assert(fc.property(fc.array(fc.tuple(word, separator)), (pieces) => {
    const before = pieces.map((piece) => piece.join("")).join("");
    assert.equal(levelOf(`${before}rm -rf /`), "hardline");
  }));
});

const SHELL_TEXT = fc.array(
  fc.oneof(
    fc.constantFrom(..."'\"`$(){}[]<>|&;\\\n #!*?~=/%-".split("")),
    fc.constantFrom(
      "$(",
      "${",
      "<<EOF\n",
      "\nEOF\n",
      "<<<",
      "((",
      "case x in ",
      "esac",
      "rm -rf /",
    ),
    fc.constantFrom(
      "sh -c ",
      "eval ",
      "sudo ",
      "xargs ",
      "find / -exec ",
      "$'\\x",
      "f() {",
      "a=$a$a",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  ),
  { maxLength: 60 },
).map((parts) => parts.join(""));

Deno.test("findDangers() never throws, whatever the text", () => {
  fc.assert(fc.property(SHELL_TEXT, (text) => void findDangers(text)), { numRuns: 3_000 });
});

Deno.test("findDangers() takes time that grows with the length of the text and not faster", () => {
  const patterns = [
    ..."$( ` \"$( ${x:- ( <<E\n \\ ' \" (( $' { f() & | x eval sudo sh\u0020-c a=(".split(" "),
    "case x in a) ",
    "a=$a$a;",
    "$((1<<2))",
    "cat <<E\n$(cat <<F\n",
    "\"${x:-'",
    "rm -rf /{a,b}{c,d}{e,f}",
    "find / -exec ",
    "sudo -x y ",
    "psql -c 'drop ",
    "sh -c '",
    "sh -c 'eval ",
    "echo a | ",
    "python -c 'system(\"",
    "*?[a]",
    "/../",
    "ﷺ",
  ];
  const chars = 60_000;
  for (const pattern of patterns) {
    const text = pattern.repeat(Math.ceil(chars / pattern.length));
    const startedAt = performance.now();
    findDangers(text);
    const took = performance.now() - startedAt;
    // Were it the square, 3.6 billion steps would take far longer.
    assert.ok(took < 4_000, `${JSON.stringify(pattern)} took ${took} ms`);
    console.log(`${JSON.stringify(pattern)} ${Math.round(took)} ms`);
  }
});
