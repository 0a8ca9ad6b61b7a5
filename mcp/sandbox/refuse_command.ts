/**
 * Commands that are no servers: shell scripts that do more than start one program.
 * @module
 */
import { accidentIn } from "../../runtime/approval/check_command.ts";
import { parseCommand } from "../../runtime/approval/parse_command.ts";
import { type PlainCommand, readCommand, Unclear } from "../../runtime/approval/read_command.ts";

/** Programs that run a text as a script. */
const SHELLS = /^(?:ash|bash|csh|dash|fish|ksh|sh|tcsh|zsh|cmd|powershell|pwsh)$/;
/** Programs that start the one behind them. */
const WRAPPERS = /^(?:busybox|doas|env|exec|nice|nohup|setsid|stdbuf|sudo|time|timeout)$/;
/** What may come before the program that is the server. */
const PREPARING = /^(?:cd|source|\.|export|set|ulimit|umask)$/;
/** What reaches out, or changes files, and is no server. */
const NO_SERVER = new RegExp(
  `^(?:${
    ("aria2c at batch bitsadmin certutil chmod chown cp crontab curl dd dig eval fetch ftp http https httpie " +
      "install invoke-restmethod invoke-webrequest irm iwr ln lynx mkdir mv nc ncat netcat nslookup openssl " +
      "passwd rm rsync scp sed sftp socat start-bitstransfer tee telnet tftp touch useradd usermod visudo w3m " +
      "wget xargs xh").split(" ").join("|")
  })$`,
);
/** Interpreters that take code as an argument. */
const INTERPRETERS = /^(?:python[\d.]*|pypy[\d.]*|perl|ruby|node|nodejs|bun|deno|php|lua)$/;
const INLINE_CODE = /^(?:-[a-zA-Z]*[ceEr]|eval|--eval|-p|-pe)$/;

/**
 * Looks at the command of an unsandboxed server, before it is written down and before it is started. A script in the
 * arguments of a shell must be readable, and start one program that is not known to be something else.
 *
 * It looks at the text alone, and holds nothing: a command that passes may do whatever the operator may.
 *
 * @param command The program.
 * @param args Its arguments.
 * @returns Why it is refused, in sentences; empty when it is not.
 */
export function refuseCommand(command: string, args: readonly string[]): readonly string[] {
  const script = inlineScript([command, ...args]);
  const reason = script === undefined ? undefined : refuseScript(script);
  return reason === undefined
    ? []
    : [`its shell script ${reason}: put it into a file, and give the file as the command`];
}

// A server is started without a shell: each text is one word, whatever it holds.
function inlineScript(words: readonly string[]): string | undefined {
  let at = 0;
  while (WRAPPERS.test(nameOf(words[at]))) {
    if (nameOf(words[at]) === "env") {
      const split = words.findIndex((word) => /^(?:-S|--split-string)/.test(word));
      // "env -S" takes a command line apart by itself.
      if (split > 0) {
        return words.slice(split).join(" ").replace(/^(?:-S|--split-string=?)\s*/, "");
      }
    }
    // Which options of a wrapper take a value is not known here: the next shell counts.
    const next = words.findIndex((word, index) => index > at && isKnown(word));
    if (next < 0) return undefined;
    at = next;
  }
  if (!SHELLS.test(nameOf(words[at]))) return undefined;
  const flag = words.findIndex((word, index) => index > at && /^(?:-\w*c\w*|\/c|\/k)$/i.test(word));
  if (flag < 0) return undefined;
  const isJoined = /^(?:cmd|powershell|pwsh)$/.test(nameOf(words[at]));
  return isJoined ? words.slice(flag + 1).join(" ") : words[flag + 1];
}

function isKnown(word: string): boolean {
  return WRAPPERS.test(nameOf(word)) || SHELLS.test(nameOf(word));
}

function nameOf(word = ""): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1).toLowerCase()
    .replace(/\.exe$/, "");
}

function refuseScript(script: string): string | undefined {
  const accident = accidentIn(script);
  if (accident !== undefined) return accident;
  const parsed = parseCommand(script);
  if (!parsed.ok) return `cannot be judged: ${parsed.reason}`;
  try {
    const commands = readCommand(parsed.script);
    return refuseCommands(commands);
  } catch (error) {
    if (error instanceof Unclear) return `cannot be judged: ${error.message}`;
    throw error;
  }
}

function refuseCommands(commands: readonly PlainCommand[]): string | undefined {
  const programs = commands.map(programOf).filter(({ name }) => !PREPARING.test(name));
  if (commands.some(({ redirects }) => redirects.length > 0)) return "reads or writes files";
  const bad = programs.find(({ name, args }) =>
    NO_SERVER.test(name) || SHELLS.test(name) || /[*?]/.test(name) ||
    INTERPRETERS.test(name) && args.some((arg) => INLINE_CODE.test(arg))
  );
  if (bad) return `starts "${bad.name}", which may reach out, change files or run anything`;
  return programs.length > 1 ? "starts more than one program" : undefined;
}

function programOf({ words }: PlainCommand): { name: string; args: readonly string[] } {
  const texts = words.map(({ text }) => text);
  let at = 0;
  while (WRAPPERS.test(nameOf(texts[at]))) {
    at++;
    while (/^-|=/.test(texts[at] ?? "")) at++;
  }
  return { name: nameOf(texts[at]), args: texts.slice(at + 1) };
}
