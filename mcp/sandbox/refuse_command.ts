/**
 * Commands that are no servers: shell scripts that reach out or settle in the system.
 * @module
 */
import { findDangersWith } from "../../runtime/approval/dangerous_commands.ts";
import type { DangerRule } from "../../runtime/approval/danger_rule.ts";
import { codeOf, type Payload, scriptsOf, SHELLS } from "../../runtime/approval/payloads.ts";
import { programCall } from "../../runtime/approval/program_call.ts";
import { RuleIndex } from "../../runtime/approval/rule_index.ts";
import type { ShellCommand, ShellWord } from "../../runtime/approval/shell_types.ts";
import { unwrap } from "../../runtime/approval/unwrap.ts";

const REACHES = "sends or fetches something over the network";
const CODE_THAT_REACHES =
  /urllib|requests|httpx|aiohttp|socket|https?[.:]|fetch\s{0,5}\(|Net::|LWP|net\.connect|WebSocket/;
/** Folders whose files the system starts by itself. */
const STARTED_BY_ITSELF =
  /(?:systemd\/(?:user|system)|autostart|LaunchAgents|LaunchDaemons|init\.d)(?:\/|$)/i;
const MAX_WRAPPERS = 16;

const EGRESS_RULES = new RuleIndex(
  [
    {
      id: "network_egress",
      level: "dangerous",
      what: REACHES,
      programs:
        "curl wget nc ncat netcat socat telnet ftp tftp sftp scp ssh rsync aria2c http https httpie xh lynx w3m fetch " +
        "dig nslookup invoke-webrequest iwr invoke-restmethod irm start-bitstransfer certutil bitsadmin",
      when: () => true,
    },
    {
      id: "network_egress",
      level: "dangerous",
      what: REACHES,
      programs: "openssl",
      when: ({ operands }) => operands[0] === "s_client",
    },
    {
      id: "network_egress",
      level: "dangerous",
      what: REACHES,
      programs: "python* pypy* perl* ruby* node nodejs bun deno php* lua*",
      when: (call) => CODE_THAT_REACHES.test(codeOf(call) ?? ""),
    },
    {
      id: "persistence",
      level: "dangerous",
      what: "makes something start by itself later",
      programs: "tee cp mv install ln rsync touch sed",
      when: ({ operands }) => operands.some((path) => STARTED_BY_ITSELF.test(path)),
    },
  ] satisfies DangerRule[],
);

/** Finds of the usual rules that refuse a server; all that never run refuse it too. */
const REFUSING: ReadonlySet<string> = new Set([
  "network_egress",
  "persistence",
  "change_kept_file",
  "remote_shell",
  "run_from_elsewhere",
  "cloud_metadata",
  "schedule",
  "users",
  "encoded_command",
  "unclear",
]);

/**
 * Looks at the command of an unsandboxed server, before it is written down and before it is started: an inline script
 * of a shell that reaches out, or writes where the system or a shell looks when it starts, is no server.
 *
 * It looks at the text alone, and holds nothing: a command that passes may do whatever the operator may.
 *
 * @param command The program.
 * @param args Its arguments.
 * @returns Why it is refused, in sentences; empty when it is not.
 */
export function refuseCommand(command: string, args: readonly string[]): readonly string[] {
  const reasons = inlineScripts(command, args).flatMap(({ script }) => refuseScript(script));
  return [...new Set(reasons)];
}

function refuseScript(script: string): string[] {
  const found = findDangersWith(script, EGRESS_RULES)
    .filter(({ id, level }) => level === "hardline" || REFUSING.has(id))
    .map(({ what }) => `its shell script ${what}`);
  const settles = new RegExp(`>\\s{0,20}[^\\s;|&]{0,500}${STARTED_BY_ITSELF.source}`, "i").test(
    script,
  );
  return settles ? [...found, "its shell script makes something start by itself later"] : found;
}

// A server is started without a shell: each text is one word, whatever it holds.
function inlineScripts(command: string, args: readonly string[]): readonly Payload[] {
  let words: readonly ShellWord[] = [command, ...args].map(plainWord);
  for (let depth = 0; depth < MAX_WRAPPERS && words.length > 0; depth++) {
    const call = programCall(words, commandOf(words), undefined);
    const isShell = SHELLS.has(call.program) || /^(?:cmd|powershell|pwsh)$/.test(call.program);
    // "env -S" takes a command line apart by itself.
    const scripts = isShell || call.program === "env" ? scriptsOf(call) : [];
    if (scripts.length > 0) return scripts;
    words = unwrap(words)?.words ?? [];
  }
  return [];
}

function plainWord(text: string): ShellWord {
  return { text, isPlain: false, isUnknown: false, substitutions: [] };
}

function commandOf(words: readonly ShellWord[]): ShellCommand {
  return {
    words,
    assignments: [],
    redirects: [],
    inputs: [],
    pipedFrom: undefined,
    isBackground: false,
    functions: [],
  };
}
