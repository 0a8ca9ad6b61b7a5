/**
 * Commands that never run, whatever is configured and whoever approves.
 * @module
 */
import { always, type DangerRule, naming, starting } from "./danger_rule.ts";
import { isRawDevice, protectedPlace } from "./places.ts";
import type { ProgramCall } from "./program_call.ts";

const DELETES = "deletes the root folder, a system folder or a home folder";
const DEVICE = "writes over a disk or over memory";
const POWER = "shuts the machine down, restarts it or puts it to sleep";
const POWER_VERBS: readonly string[] =
  ("poweroff reboot halt kexec soft-reboot suspend hibernate hybrid-sleep suspend-then-hibernate " +
    "rescue emergency").split(" ");
/** Conditions of `find` that do not narrow down what it finds. */
const FIND_WITHOUT_VALUE: ReadonlySet<string> = new Set(
  "-delete -depth -d -xdev -mount -print -print0 -ls -o -or ( ) -noleaf".split(" "),
);
const FIND_WITH_VALUE: ReadonlySet<string> = new Set("-mindepth -maxdepth -type".split(" "));

/** The rules. */
export const HARDLINE_RULES: readonly DangerRule[] = Object.freeze<DangerRule[]>([
  {
    id: "delete_system",
    level: "hardline",
    what: DELETES,
    programs: "rm",
    when: (call) => call.has("rR", "recursive") && touches(call, call.operands),
  },
  {
    id: "delete_system",
    level: "hardline",
    what: DELETES,
    programs: "find",
    when: (call) => findDeletes(call) && !narrows(call.args) && touches(call, findRoots(call.args)),
  },
  {
    id: "delete_system",
    level: "hardline",
    what: DELETES,
    programs: "rd rmdir del erase remove-item ri",
    when: (call) =>
      call.args.some((arg) => /^(?:\/s|-r|-recurse)$/i.test(arg)) &&
      touches(call, call.args.filter((arg) => !/^(?:[-/][a-z]|-[a-z]+)$/i.test(arg))),
  },
  {
    id: "delete_system",
    level: "hardline",
    what: DELETES,
    programs: "shred srm wipe",
    when: (call) => call.has("rR", "recursive") && touches(call, call.operands),
  },
  {
    id: "make_file_system",
    level: "hardline",
    what: "makes a new file system over what is there",
    programs:
      "mkfs mkfs.* mke2fs mkswap mkntfs mkdosfs mkreiserfs newfs newfs_* format format-volume clear-disk",
    when: (call) => always(call) && call.args.length > 0,
  },
  {
    id: "make_file_system",
    level: "hardline",
    what: "makes a new file system over what is there",
    programs: "diskutil",
    when: ({ operands }) =>
      /^(?:erase|partition|zero|randomdisk|secureerase|reformat)/i.test(operands[0] ?? ""),
  },
  {
    id: "wipe_device",
    level: "hardline",
    what: DEVICE,
    programs: "wipefs blkdiscard",
    when: (call) => call.program === "blkdiscard" ? call.operands.length > 0 : call.has("a", "all"),
  },
  {
    id: "wipe_device",
    level: "hardline",
    what: DEVICE,
    programs: "dd",
    when: (call) =>
      call.args.some((arg) => /^of=/i.test(arg) && isRawDevice(arg.slice(3), call.folder)),
  },
  {
    id: "wipe_device",
    level: "hardline",
    what: DEVICE,
    programs: "tee shred cp mv install wipe badblocks sponge truncate pv",
    when: (call) =>
      call.operands.some((path) => isRawDevice(path, call.folder)) && writesLast(call),
  },
  {
    id: "wipe_device",
    level: "hardline",
    what: DEVICE,
    programs: "hdparm nvme sgdisk",
    when: ({ args }) =>
      args.some((arg) =>
        /^(?:--security-erase.*|--trim-sector.*|format|sanitize|-z|--zap.*)$/i.test(arg)
      ),
  },
  {
    id: "kill_everything",
    level: "hardline",
    what: "ends every process",
    programs: "kill",
    when: killsAll,
  },
  {
    id: "kill_everything",
    level: "hardline",
    what: "ends every process",
    programs: "killall5",
    when: always,
  },
  {
    id: "power",
    level: "hardline",
    what: POWER,
    programs:
      "shutdown reboot halt poweroff pm-suspend pm-hibernate stop-computer restart-computer",
    when: (call) => always(call) && !(call.program === "shutdown" && call.has("c", "show")),
  },
  {
    id: "power",
    level: "hardline",
    what: POWER,
    programs: "init telinit",
    when: ({ operands }) => /^[06]$/.test(operands[0] ?? ""),
  },
  {
    id: "power",
    level: "hardline",
    what: POWER,
    programs: "systemctl loginctl",
    when: (call) =>
      naming(...POWER_VERBS)(call) ||
      starting("isolate poweroff.target", "isolate reboot.target", "isolate halt.target")(call) ||
      starting("start poweroff.target", "start reboot.target", "start halt.target")(call),
  },
]);

function touches(call: ProgramCall, paths: readonly string[]): boolean {
  return paths.some((path) => protectedPlace(path, call.folder) !== undefined);
}

/**
 * Whether a call of `find` deletes what it finds.
 *
 * @param call The call.
 * @returns True when it does.
 */
export function findDeletes({ args }: ProgramCall): boolean {
  return args.some((arg, index) =>
    arg === "-delete" ||
    /^-(?:exec|execdir|ok|okdir)$/.test(arg) && args.slice(index + 1, index + 4).some((word) =>
        /(?:^|\/)(?:rm|shred|unlink|srm)$/i.test(word)
      )
  );
}

function findRoots(args: readonly string[]): readonly string[] {
  const from = args.findIndex((arg) => !/^-[HLPDO]/.test(arg));
  const rest = from < 0 ? [] : args.slice(from);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  return end < 0 ? rest : rest.slice(0, end);
}

function narrows(args: readonly string[]): boolean {
  const first = args.findIndex((arg) => /^-[a-z(]{2}|^[(!]/.test(arg));
  for (let index = Math.max(first, 0); index < args.length; index++) {
    const arg = args[index]!;
    if (/^-(?:exec|execdir|ok|okdir)$/.test(arg)) {
      while (index < args.length && args[index] !== ";" && args[index] !== "+") index++;
    } else if (FIND_WITH_VALUE.has(arg)) index++;
    else if (!FIND_WITHOUT_VALUE.has(arg)) return true;
  }
  return false;
}

function writesLast(call: ProgramCall): boolean {
  if (call.program !== "cp" && call.program !== "mv" && call.program !== "install") return true;
  return isRawDevice(call.operands.at(-1) ?? "", call.folder);
}

function killsAll({ args }: ProgramCall): boolean {
  if (args.length === 1) return args[0] === "-1";
  // The first one may name the signal, with its number in the next one.
  const targets = args.slice(
    /^-(?:s|n|-signal)$/.test(args[0] ?? "") ? 2 : args[0]?.startsWith("-") ? 1 : 0,
  );
  return targets.includes("-1");
}
