/**
 * Commands that may lose files, open them to everybody, or change what the system trusts. They need approval.
 * @module
 */
import { always, type DangerRule } from "./danger_rule.ts";
import { findDeletes } from "./hardline_rules.ts";
import { isKept, isRawDevice, protectedPlace } from "./places.ts";
import type { ProgramCall } from "./program_call.ts";

const KEPT = "changes a file of the system, of a shell's start, or with credentials";
/** Programs that change the files in their operands. */
const CHANGE_ALL = "tee rm unlink truncate shred sponge touch chattr wipe ed ex";
/** Programs that write to their last operand, or to the folder of `-t`. */
const CHANGE_LAST = "cp mv install ln rsync scp";

/** The rules. */
export const FILE_RULES: readonly DangerRule[] = Object.freeze<DangerRule[]>([
  {
    id: "delete_recursively",
    level: "dangerous",
    what: "deletes folders with everything in them",
    programs: "rm srm",
    when: (call) => call.has("rR", "recursive"),
  },
  {
    id: "delete_recursively",
    level: "dangerous",
    what: "deletes folders with everything in them",
    programs: "rd rmdir del erase remove-item ri",
    when: ({ args }) => args.some((arg) => /^(?:\/s|\/q|-r|-rec|-recurse)$/i.test(arg)),
  },
  {
    id: "delete_found",
    level: "dangerous",
    what: "deletes every file that it finds",
    programs: "find",
    when: findDeletes,
  },
  {
    id: "delete_found",
    level: "dangerous",
    what: "deletes every file that another command names",
    programs: "rm unlink shred rmdir",
    when: ({ upstream }) => upstream.length > 0,
  },
  {
    id: "delete_found",
    level: "dangerous",
    what: "deletes what the source does not have",
    programs: "rsync",
    when: ({ args }) => args.some((arg) => /^--(?:del|remove-source)/.test(arg)),
  },
  {
    id: "overwrite_securely",
    level: "dangerous",
    what: "destroys files so that nothing brings them back",
    programs: "shred srm wipe cipher",
    when: (call) => call.program !== "cipher" || call.args.some((arg) => /^\/w/i.test(arg)),
  },
  {
    id: "copy_raw",
    level: "dangerous",
    what: "writes raw data, which overwrites without asking",
    programs: "dd",
    when: ({ args }) =>
      args.some((arg) => /^of=/i.test(arg) && !/^of=\/dev\/(?:null|stdout|stderr)$/i.test(arg)),
  },
  {
    id: "open_to_everybody",
    level: "dangerous",
    what: "lets everybody write, or a program run as its owner",
    programs: "chmod",
    when: ({ operands, args }) => [...operands, ...args].some(opensMode),
  },
  {
    id: "change_owner",
    level: "dangerous",
    what: "gives files to another owner",
    programs: "chown chgrp takeown icacls",
    when: (call) =>
      !/^ch/.test(call.program) || call.has("R", "recursive") ||
      /^(?:root|0|:root|:0|:wheel)(?:[:.]|$)/.test(call.operands[0] ?? ""),
  },
  {
    id: "change_kept_file",
    level: "dangerous",
    what: KEPT,
    programs: CHANGE_ALL,
    when: (call) => call.operands.some((path) => isKept(path, call.folder)),
  },
  {
    id: "change_kept_file",
    level: "dangerous",
    what: KEPT,
    programs: CHANGE_LAST,
    when: (call) => targetsOf(call).some((path) => isKept(path, call.folder)),
  },
  {
    id: "change_kept_file",
    level: "dangerous",
    what: KEPT,
    programs: "sed gsed perl",
    when: (call) =>
      call.has("i", "in-place") && call.operands.some((path) => isKept(path, call.folder)),
  },
  {
    id: "change_kept_file",
    level: "dangerous",
    what: KEPT,
    programs: "curl wget",
    when: ({ args, folder }) =>
      args.some((arg, index) =>
        /^(?:-o|-O|--output|--output-document)$/.test(args[index - 1] ?? "") && isKept(arg, folder)
      ),
  },
  {
    id: "move_system",
    level: "dangerous",
    what: "moves a system folder or a home folder away",
    programs: "mv",
    when: (call) =>
      call.operands.slice(0, -1).some((path) => protectedPlace(path, call.folder) !== undefined),
  },
  {
    id: "change_disks",
    level: "dangerous",
    what: "changes partitions, volumes or file systems",
    programs:
      "fdisk sfdisk cfdisk sgdisk gdisk parted wipefs hdparm lvremove vgremove pvremove zpool cryptsetup resize2fs " +
      "tune2fs diskpart mdadm swapoff",
    when: (call) => always(call) && !call.has("l", "list", "print", "detail"),
  },
  {
    id: "change_disks",
    level: "dangerous",
    what: "writes to a device",
    programs: "cat dd cp tee",
    when: (call) =>
      call.program !== "cat" &&
      call.args.some((arg) => isRawDevice(arg.replace(/^of=/i, ""), call.folder)),
  },
  {
    id: "unknown_program",
    level: "dangerous",
    what: "runs a program that is known only when it runs, on the system's folders",
    programs: "*",
    when: (call) =>
      call.isUnknown && call.args.some((arg) => protectedPlace(arg, call.folder) !== undefined),
  },
]);

function targetsOf({ args, operands }: ProgramCall): readonly string[] {
  const index = args.findIndex((arg) => /^(?:-t|--target-directory)$/.test(arg));
  const named = args.find((arg) => arg.startsWith("--target-directory="));
  if (named) return [named.slice(19)];
  return index < 0 ? operands.slice(-1) : [args[index + 1] ?? ""];
}

function opensMode(mode: string): boolean {
  if (/^[0-7]{1,5}$/.test(mode)) {
    const digits = mode.padStart(4, "0");
    return /[2367]$/.test(digits) || /[24-7]/.test(digits.at(-4) ?? "0");
  }
  if (!/^[ugoa]*[-+=]/.test(mode)) return false;
  return mode.split(",").some((clause) =>
    /^[ug]*[oa][ugoa]*[+=][rxXst]*w/.test(clause) || /^[ugoa]*[+=][rwxXt]*s/.test(clause)
  );
}
