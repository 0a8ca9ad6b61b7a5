import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { checkCommand, type CheckedCommand } from "../../../runtime/approval/check_command.ts";
import { WorkspacePaths } from "../../../runtime/approval/workspace_paths.ts";

/** A workspace with a few files, and what is said of commands in it. */
function openSpace(): {
  check(text: string): CheckedCommand;
  unasked(command: string): string | undefined;
  path: string;
} & Disposable {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-check-" }));
  const path = `${base}/space`;
  for (const name of ["", "/.git", "/.git/hooks", "/src", "/tools"]) Deno.mkdirSync(path + name);
  for (const name of ["a.txt", "b.txt", "x.json", "src/a.ts", "src/b.ts"]) {
    Deno.writeTextFileSync(`${path}/${name}`, "");
  }
  Deno.writeTextFileSync(`${base}/secret`, "");
  Deno.symlinkSync(base, `${path}/up`);
  Deno.symlinkSync(`${base}/new`, `${path}/dangling`);
  Deno.symlinkSync("src", `${path}/inside`);
  const places = ["/.git", "/tools", "/cloister.json", "/mcp.lock"].map((name) => path + name);
  const check = (text: string) => checkCommand(text, new WorkspacePaths(path, path, places));
  return {
    path,
    check,
    unasked: (text) => check(text).harmless?.replace("PATH=/usr/bin:/bin; export PATH; ", ""),
    [Symbol.dispose]: () => Deno.removeSync(base, { recursive: true }),
  };
}

function table(name: string): string[] {
  const file = new URL(`../../fixtures/approval/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").split("\n")
    .filter((line) => line !== "" && !line.startsWith("## "))
    .map((line) => line.replaceAll("⏎", "\n"));
}

Deno.test("checkCommand() writes a harmless command anew, each word in quotes and each program by its path", () => {
  using space = openSpace();
  const written: [command: string, text: string][] = [
    ["ls -la", "'/usr/bin/ls' '-la'"],
    ["cat a.txt 'b.txt' | sort -u", "'/usr/bin/cat' 'a.txt' 'b.txt' | '/usr/bin/sort' '-u'"],
    [`echo "it's" 'a b'`, `'/usr/bin/echo' 'it'\\''s' 'a b'`],
    [
      "grep -rn 'x y' src && wc -l src/a.ts || true",
      "'/usr/bin/grep' '-rn' 'x y' 'src' && '/usr/bin/wc' '-l' 'src/a.ts' || '/usr/bin/true'",
    ],
    ["ls 2>/dev/null >> out; pwd", "'/usr/bin/ls' 2>'/dev/null' >>'out' ; '/usr/bin/pwd'"],
    ["ls missing &> log", "'/usr/bin/ls' 'missing' >'log' 2>&1"],
    ["head -n 3 < a.txt 2>&1", "'/usr/bin/head' '-n' '3' <'a.txt' 2>&1"],
    ["cat inside/a.ts", "'/usr/bin/cat' 'inside/a.ts'"],
    ["wc -l src/*.ts", "'/usr/bin/wc' '-l' 'src/a.ts' 'src/b.ts'"],
    ["wc -l ./?.txt", "'/usr/bin/wc' '-l' './a.txt' './b.txt'"],
    ["find . -name '*.ts' -type f", "'/usr/bin/find' '.' '-name' '*.ts' '-type' 'f'"],
    ["jq '.items[] | .name' x.json", "'/usr/bin/jq' '.items[] | .name' 'x.json'"],
    [
      "mkdir -p build/out && touch build/out/x",
      "'/usr/bin/mkdir' '-p' 'build/out' && '/usr/bin/touch' 'build/out/x'",
    ],
  ];
  for (const [command, text] of written) {
    // Where Debian keeps them; a machine that has them elsewhere writes that.
    assert.equal(space.unasked(command)?.replaceAll("'/bin/", "'/usr/bin/"), text, command);
  }
});

Deno.test("attack [A32] checkCommand() has a person asked about what only reads like a harmless command", () => {
  using space = openSpace();
  const asked = [
    // Programs that start others, write, or read more than they are given.
    "sort -o a.txt b.txt",
    "sort --compress-program=sh a.txt",
    "sort -T /tmp a.txt",
    "sort --files0-from=a.txt",
    "sort --compress-prog=sh a.txt",
    "find . -delete",
    "find . -exec rm {} ;",
    "find . -fprint /etc/x",
    "find -files0-from a.txt",
    "rg --pre sh x",
    "rg -z x",
    "fd -x rm",
    "tree -o a.txt",
    "uniq a.txt b.txt",
    "xxd a.txt b.txt",
    "xxd -pl /etc/shadow",
    "date -s 2020-01-01",
    "date 010100002020",
    "diff -l a b",
    "diff -r a b",
    "jq '$ENV' x.json",
    "jq env x.json",
    "jq -f a.txt",
    "jq 'import \"a\" as $x; .'",
    "file -C",
    "tail --pid=1 -z --bogus",
    "tail -F a.txt",
    "hostname evil",
    "hostname -F a.txt",
    "diff -r src tools",
    "du -X a.txt",
    "grep -f a.txt b.txt",
    "ls --bogus",
    // The shell's own words, which are not programs.
    "printf -v PATH /tmp; ls; eval x",
    "type ls",
    "cd tools && ls > x",
    "cd ..; ls",
    "command ls",
    "builtin ls",
    "exec ls",
    "test -v 'a[$(id)]' && cd .",
    // Expansions of every kind.
    "cat $HOME/x",
    "cat ~/x",
    "cat ~root/x",
    "cat `id`",
    "cat $(id)",
    "cat {a,b}.txt",
    "cat <(id)",
    "echo $((1+1))",
    "echo $[1<<2]\nrm -rf x\n2",
    "echo $'a\\0b'",
    'echo $"x"',
    "cat [ab].txt",
    "cat */a.ts",
    "cat **",
    "cat @(a|b).txt",
    "echo a*b*c",
    // Everything but words, pipes and redirects to files.
    "ls & rm x",
    "(ls)",
    "{ ls; }",
    "! ls",
    "time ls",
    "X=1 ls",
    "PATH=. ls",
    "X=1",
    "ls |& cat",
    "if true; then ls; fi",
    "for f in a; do ls; done",
    "f() { ls; }; f",
    "[[ a ]]",
    "((1))",
    "cat <<E\nx\nE",
    "cat <<< x",
    "ls 3>x",
    "ls {fd}>x",
    "ls <>x",
    "ls >|x",
    "ls >&x",
    "> x",
    // Outside of the workspace, also by a link.
    "cat /etc/hostname",
    "cat ../secret",
    "cat up/secret",
    "ls > up/x",
    "cat < up/secret",
    "ls > dangling",
    "cat dangling",
    "cat src/../../secret",
    "ls / src",
    "find / -name x",
    "touch /tmp/x",
    "mkdir -p ../x",
    "ls > /etc/x",
    "grep x -r /etc",
    "grep -e x /etc/hostname",
    "rg --files /etc",
    "cat -- -x /etc/hostname",
    "ls > ~/x",
    "test -f /etc/shadow",
    "cat up/*",
    // Places that decide what runs.
    "ls > tools/x.ts",
    "touch .git/hooks/pre-commit",
    "mkdir .git/x",
    "echo '{}' > cloister.json",
    "echo x >> ./src/../tools/x",
    "mkdir -p tools",
    // What is not what it looks like.
    "ls\r\nid",
    "ls\u00a0-la",
    "l\u200bs",
    "ls \u0007",
    "ls 'a",
    "./ls",
    "src/ls",
    "/tmp/ls",
    "l? -la",
    "'ls -la'",
    "LS",
    "git status",
    "env",
    "tee x",
    "xargs ls",
    "",
    "#",
  ];
  const unasked = asked.filter((command) => space.check(command).harmless !== undefined);
  assert.deepEqual(unasked, []);
});

Deno.test("attack [A32] checkCommand() has a person asked where a pattern matches a name that is an option", () => {
  using space = openSpace();
  assert.ok(space.unasked("sort *.txt"));
  Deno.writeTextFileSync(`${space.path}/--compress-program=x.txt`, "");
  assert.equal(space.unasked("sort *.txt"), undefined);
  assert.match(space.check("sort *.txt").reason!, /matches a name that is read as an option/);
  // Behind a folder the same name is a name.
  assert.ok(space.unasked("sort ./*.txt")?.includes("'./--compress-program=x.txt'"));
  Deno.symlinkSync("/etc", `${space.path}/src/link.ts`);
  assert.equal(space.unasked("cat src/*.ts"), undefined);
});

Deno.test("checkCommand() takes no command of the tables for harmless, and none of a working day for an accident", () => {
  using space = openSpace();
  const dangerous = [...table("dangerous"), ...table("hardline")];
  assert.ok(dangerous.length > 300, `${dangerous.length} commands`);
  assert.deepEqual(dangerous.filter((command) => space.check(command).harmless), []);
  assert.deepEqual(table("harmless").filter((command) => space.check(command).accident), []);
});

Deno.test("checkCommand() refuses accidents that are written out, behind the usual wrappers", () => {
  using space = openSpace();
  const accidents = [
    "rm -rf /",
    "sudo rm -fr /*",
    "cd x && rm -r -f ~",
    'rm -rf "$HOME"',
    "/bin/rm -R /etc",
    "echo $(rm -rf /)",
    "if true; then rm --recursive /usr; fi",
    "mkfs.ext4 /dev/sda1",
    "dd if=/dev/zero of=/dev/sda bs=1M",
    "chmod -R 777 /",
    "sudo -n reboot",
    "shutdown -h now",
    "systemctl poweroff",
    "kill -9 -1",
    ":(){ :|:& };:",
  ];
  assert.deepEqual(accidents.filter((command) => !space.check(command).accident), []);
  const none = [
    "echo 'rm -rf /'",
    "git commit -m 'never rm -rf /'",
    "rm -rf build",
    "mkfs.ext4 test.img",
    "reboot --help",
    "dd if=/dev/sda of=/dev/null",
    "./scripts/shutdown app",
    "kill -9 1234",
    "chmod -R u+w build",
    "cat <<'E'\nrm -rf /\nE",
  ];
  assert.deepEqual(none.filter((command) => space.check(command).accident), []);
});

Deno.test("checkCommand() remembers plain words by their program, and no text that expands", () => {
  using space = openSpace();
  const words = (command: string) => space.check(command).remembered?.words;
  assert.deepEqual(words("npm test"), [["npm", "test"]]);
  assert.deepEqual(words("npm ci && ls | npm 'test' > log"), [["npm", "ci"], ["npm", "test"]]);
  for (const command of ["npm $X", "npm *.ts", "npm test > /etc/x", "X=1 npm test", "npm test &"]) {
    assert.equal(words(command), undefined, command);
  }
});

Deno.test("attack [A32] checkCommand() ends within its time, and asks, for a text that is made to take long", () => {
  using space = openSpace();
  const bombs = [
    "f(){ a;",
    "cat <<A\n",
    "<<A ",
    "<<'A'",
    "(",
    "$(",
    '"$(',
    "{ ",
    "`",
    "${a:-",
    "$((",
    "<(",
    "$[",
    "a&",
    "a|",
    ">a ",
    "a=(",
    "case x in ",
    "if a;then ",
    "ls *\n",
    "ls a > b\n",
    "\\\n",
    "coproc ",
    `cat ${"a/".repeat(2_000)}`,
    `find ${"a/b/c/d ".repeat(250)}`,
    `echo ${"a".repeat(60_000)}`,
    ...["a", "/", "~", "-", ":", ".", "*", "?", "a/", "../", "=", "'a'", "\\a"].map((part) =>
      `rm -r ${part.repeat(1_000)}`
    ),
  ];
  for (const bomb of bombs) {
    for (const size of [8_192, 65_536, 716_800]) {
      const text = bomb.repeat(size / bomb.length);
      const begin = performance.now();
      const { harmless } = space.check(text);
      if (bomb.length < 100) assert.equal(harmless, undefined, bomb);
      const took = performance.now() - begin;
      // Seconds before there was a bound; the machine may be busy.
      assert.ok(took < 500, `${JSON.stringify(bomb)}, ${size} bytes: ${took} ms`);
    }
  }
});

Deno.test("checkCommand() has a person asked about what is longer than 64 KB", () => {
  using space = openSpace();
  assert.ok(space.unasked(`echo ${"a".repeat(60_000)}`));
  assert.match(space.check(`echo ${"a".repeat(65_536)}`).reason!, /too long/);
  assert.match(space.check(`echo ${"ä".repeat(33_000)}`).reason!, /too long/);
});

const SHARED = new URL("../../../../shared/data/hostile/commands/", import.meta.url);

function isThere(url: URL): boolean {
  try {
    return Deno.statSync(url).isDirectory;
  } catch {
    return false;
  }
}

Deno.test({
  name:
    "checkCommand() lets no command of the shared collection run unasked, and refuses no everyday one",
  ignore: !isThere(SHARED),
  fn: () => {
    using space = openSpace();
    const read = (name: string) => JSON.parse(readFileSync(new URL(name, SHARED), "utf8"));
    const dangerous: { readonly command: string }[] = read("dangerous.json");
    assert.deepEqual(dangerous.filter(({ command }) => space.check(command).harmless), []);
    const everyday: string[] = read("everyday.json");
    assert.deepEqual(everyday.filter((command) => space.check(command).accident), []);
    assert.ok(everyday.filter((command) => space.check(command).harmless).length >= 26);
  },
});
