/**
 * Commands that change services, users, networks or kernels, or run what came from elsewhere. They need approval.
 * @module
 */
import { always, type DangerRule, naming, starting } from "./danger_rule.ts";
import { codeOf, readsScript, SHELLS } from "./payloads.ts";
import type { ProgramCall } from "./program_call.ts";

const SERVICE = "stops, restarts or removes a service";
const ELSEWHERE = "runs what was downloaded or decoded";
const DOWNLOADS = new Set(
  "curl wget fetch aria2c http https lynx nc ncat netcat scp ftp".split(" "),
);
const DECODES = new Set(
  "base64 base32 xxd openssl uudecode gunzip zcat gzip bzcat xzcat unzip gpg rev tr".split(" "),
);
const METADATA =
  /169\.254\.(?:169\.254|170\.2)|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254|2852039166|0xa9fea9fe/i;
const CODE_THAT_ACTS =
  /rmtree|unlink|\bremove\b|rmdir|\bsystem\b|subprocess|popen|\bexec|spawn|child_process|rmSync|fork\b|shutil|Deno\.(?:remove|Command|writeT|writeF)|writeFile|\bopen\([^)]{0,80}["'](?:w|a|r\+)/;

/** The rules. */
export const SYSTEM_RULES: readonly DangerRule[] = Object.freeze<DangerRule[]>([
  {
    id: "service",
    level: "dangerous",
    what: SERVICE,
    programs: "systemctl",
    when: naming(
      "stop",
      "restart",
      "try-restart",
      "disable",
      "mask",
      "kill",
      "isolate",
      "reenable",
    ),
  },
  {
    id: "service",
    level: "dangerous",
    what: SERVICE,
    programs: "service rc-service invoke-rc.d sv initctl net sc brew supervisorctl pm2",
    when: (call) =>
      call.program === "brew"
        ? starting("services stop", "services restart")(call)
        : naming("stop", "restart", "delete", "reload", "down", "kill", "shutdown")(call),
  },
  {
    id: "service",
    level: "dangerous",
    what: SERVICE,
    programs: "launchctl stop-service remove-service restart-service update-rc.d chkconfig",
    when: (call) =>
      call.program !== "launchctl" ||
      naming("unload", "bootout", "stop", "remove", "kill", "disable", "reboot")(call),
  },
  {
    id: "kill_by_name",
    level: "dangerous",
    what: "ends processes by their name",
    programs: "pkill killall taskkill stop-process xkill",
    when: always,
  },
  {
    id: "kill_itself",
    level: "dangerous",
    what: "ends the program that runs this command, or the first process",
    programs: "kill",
    when: ({ args, inside }) =>
      args.some((arg, index) =>
        arg === "$PPID" || arg === "1" && (index > 0 || args.length === 1)
      ) ||
      inside.includes("pgrep") || inside.includes("pidof"),
  },
  {
    id: "run_from_elsewhere",
    level: "dangerous",
    what: "runs what another command prints",
    programs: [...SHELLS].join(" "),
    when: (call) =>
      readsScript(call) && (call.upstream.length > 0 || comesFromElsewhere(call.inside)),
  },
  {
    id: "run_from_elsewhere",
    level: "dangerous",
    what: ELSEWHERE,
    programs: `eval source . ${[...SHELLS].join(" ")} python* perl* ruby* node php* deno`,
    when: (call) =>
      comesFromElsewhere(call.inside) ||
      !SHELLS.has(call.program) && call.operands.every((operand) =>
          operand === "-" || operand === "run"
        ) &&
        !call.args.some((arg) => /^-[cem]/.test(arg)) && comesFromElsewhere(call.upstream),
  },
  {
    id: "interpreter_code",
    level: "dangerous",
    what: "runs code that deletes or writes files, or starts programs",
    programs:
      "python* pypy* perl* ruby* node nodejs bun deno php* lua* osascript rscript awk gawk mawk nawk",
    when: (call) => CODE_THAT_ACTS.test(codeOf(call) ?? ""),
  },
  {
    id: "encoded_command",
    level: "dangerous",
    what: "runs a command that is encoded",
    programs: "powershell pwsh",
    when: ({ args }) => args.some((arg) => /^-e(?:c|nc|ncodedcommand)?$/i.test(arg)),
  },
  {
    id: "remote_shell",
    level: "dangerous",
    what: "hands a shell to another machine",
    programs: "nc ncat netcat socat",
    when: ({ args }) =>
      args.some((arg) =>
        /^-[a-zA-Z]*[ec]$/.test(arg) || /^--(?:exec|sh-exec)/.test(arg) ||
        /^(?:exec|system):/i.test(arg)
      ),
  },
  {
    id: "cloud_metadata",
    level: "dangerous",
    what: "asks a cloud's metadata service, which gives out credentials",
    programs: "curl wget http https fetch nc ncat netcat aria2c lynx invoke-webrequest iwr socat",
    when: ({ args }) => args.some((arg) => METADATA.test(arg)),
  },
  {
    id: "users",
    level: "dangerous",
    what: "changes users, passwords or who may become root",
    programs:
      "useradd usermod userdel groupdel groupmod adduser deluser addgroup delgroup passwd chpasswd visudo vipw dscl",
    when: always,
  },
  {
    id: "schedule",
    level: "dangerous",
    what: "changes what runs later",
    programs: "crontab schtasks at batch",
    when: (call) => call.program !== "crontab" || call.has("re") || call.operands.length > 0,
  },
  {
    id: "firewall",
    level: "dangerous",
    what: "changes a firewall or a network",
    programs: "iptables ip6tables nft ufw firewall-cmd netsh ip ifconfig route pfctl",
    when: (call) => changesNetwork(call),
  },
  {
    id: "kernel",
    level: "dangerous",
    what: "changes the kernel, its settings or its protections",
    programs:
      "insmod rmmod modprobe sysctl setenforce kexec mount umount setcap efibootmgr bcdedit grub-install",
    when: (call) => {
      if (call.program === "sysctl") {
        return call.has("wp", "write") ||
          call.args.some((arg) => /=/.test(arg));
      }
      if (call.program === "mount" || call.program === "efibootmgr") return call.args.length > 0;
      return always(call);
    },
  },
  {
    id: "hide_traces",
    level: "dangerous",
    what: "deletes logs or the history of commands",
    programs: "history journalctl wevtutil vssadmin wbadmin",
    when: (call) =>
      call.program === "history"
        ? call.has("c")
        : call.args.some((arg) => /^(?:--vacuum|--rotate|cl$|clear-log|delete)/i.test(arg)),
  },
  {
    id: "registry",
    level: "dangerous",
    what: "changes the Windows registry",
    programs: "reg regedit",
    when: (call) =>
      call.program === "regedit" || naming("delete", "add", "import", "restore")(call),
  },
]);

function comesFromElsewhere(programs: readonly string[]): boolean {
  return programs.some((program) => DOWNLOADS.has(program) || DECODES.has(program));
}

function changesNetwork(call: ProgramCall): boolean {
  const { program, args } = call;
  if (program === "ufw") return naming("disable", "reset", "delete")(call);
  if (program === "iptables" || program === "ip6tables") return call.has("FXPDZAI", "flush");
  if (program === "ip") return /\b(?:del|delete|flush|down)\b/.test(args.slice(0, 20).join(" "));
  if (program === "ifconfig" || program === "route") {
    return args.some((arg) => /^(?:down|del|delete|flush)$/.test(arg));
  }
  return args.some((arg) => /^(?:flush|delete|-F|-d|--remove.*|--panic-on|reset|set)$/.test(arg));
}
