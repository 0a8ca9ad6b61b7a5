/**
 * Places of a system that commands must leave alone.
 * @module
 */
import { expandBraces, matchesAll, matchesGlob } from "./globs.ts";

/** What a path names. */
export type Place = "the root folder" | "a system folder" | "a home folder";

const SYSTEM: readonly (readonly string[])[] = [
  ..."applications bin boot cores dev etc lib lib32 lib64 libx32 library media mnt nix opt private proc run sbin snap srv sys system usr var volumes"
    .split(" ").map((name) => [name]),
  ..."bin etc games include lib lib32 lib64 libexec local sbin share src".split(" ")
    .map((name) => ["usr", name]),
  ..."cache db lib log mail opt root run spool www".split(" ").map((name) => ["var", name]),
  ["private", "etc"],
  ["private", "var"],
];
const HOMES = ["home", "users"];
/** Folders in which nothing may be changed unasked. */
const KEPT = "bin boot etc lib lib32 lib64 proc sbin sys system".split(" ");
const KEPT_BELOW: readonly (readonly string[])[] = [
  ["usr", "bin"],
  ["usr", "lib"],
  ["usr", "sbin"],
  ["usr", "local", "bin"],
  ["var", "spool", "cron"],
  ["private", "etc"],
  ["library", "launchdaemons"],
  ["library", "launchagents"],
];
const SECRET_FOLDERS: ReadonlySet<string> = new Set(
  ".ssh .gnupg .aws .azure .kube .docker .password-store launchagents".split(" "),
);
const KEPT_FILES: ReadonlySet<string> = new Set(
  (".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .kshrc .cshrc " +
    ".tcshrc .inputrc .netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .gitconfig .env authorized_keys " +
    "id_rsa id_ed25519 id_ecdsa sudoers crontab config.fish cloister.json tools.lock").split(" "),
);
const ENV_EXAMPLE = /^\.env\.(?:example|sample|template|dist|schema)$/;
const BLOCK_DEVICE =
  /^(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd|nvme|mmcblk|r?disk\d|md\d|dm-|mapper|disk$|loop\d|ram\d|zram|nbd|sr\d|mem$|kmem$|port$|nvram|mtd|pmem|dasd|bcache|physicaldrive)/;
const SAMPLE_DEVICES = ["sda", "sda1", "hda", "vda", "xvda", "nvme0n1", "mmcblk0", "disk0", "mem"];

/**
 * The parts of a path, in lower case, with `.` and `..` resolved. A home folder counts as `/home/~`.
 *
 * @param path The path, as a shell sees it.
 * @param folder The folder that commands run in, when it is known.
 * @returns The parts; `undefined` for a path in a folder that is not known.
 */
export function partsOf(path: string, folder: string | undefined): readonly string[] | undefined {
  const plain = path.toLowerCase().replace(/^[a-z]:[\\/]*/, "/");
  if (/^\/*~/.test(plain)) return walk(["home"], plain.replace(/^\/+/, ""));
  if (plain.startsWith("/")) return walk([], plain);
  const base = folder === undefined ? undefined : partsOf(folder, undefined);
  return base && walk(base, plain);
}

function walk(base: readonly string[], path: string): readonly string[] {
  const parts = [...base];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts;
}

/**
 * Whether deleting a path with all it holds deletes a system, or somebody's home.
 *
 * @param word The path, as a shell sees it.
 * @param folder The folder that commands run in, when it is known.
 * @returns What it names; `undefined` when it is none of these.
 */
export function protectedPlace(word: string, folder: string | undefined): Place | undefined {
  for (const path of expandBraces(word)) {
    const parts = partsOf(path, folder);
    const place = parts && placeOf(parts);
    if (place) return place;
  }
  return undefined;
}

function placeOf(all: readonly string[]): Place | undefined {
  let length = all.length;
  while (length > 0 && matchesAll(all[length - 1]!)) length--;
  const parts = all.slice(0, length);
  const [first, second] = parts;
  if (first === undefined) return "the root folder";
  const isHomes = HOMES.some((name) => matchesGlob(first, name));
  if (isHomes && parts.length <= 2 && second !== "shared") return "a home folder";
  if (parts.length === 1 && matchesGlob(first, "root")) return "a home folder";
  const isSystem = SYSTEM.some((place) =>
    place.length === parts.length && place.every((name, index) => matchesGlob(parts[index]!, name))
  );
  return isSystem ? "a system folder" : undefined;
}

/**
 * Whether changing a file changes how the system or a shell behaves, or who may enter.
 *
 * @param word The path, as a shell sees it.
 * @param folder The folder that commands run in, when it is known.
 * @returns True when it does.
 */
export function isKept(word: string, folder: string | undefined): boolean {
  return expandBraces(word).some((path) => {
    const parts = partsOf(path, folder) ?? walk([], path.toLowerCase());
    const isAbsolute = partsOf(path, folder) !== undefined;
    const name = parts.at(-1) ?? "";
    if (KEPT_FILES.has(name) || name.startsWith(".env.") && !ENV_EXAMPLE.test(name)) return true;
    if (parts.some((part) => SECRET_FOLDERS.has(part))) return true;
    if (parts.includes("system32")) return true;
    return isAbsolute &&
      (KEPT.includes(parts[0] ?? "") ||
        KEPT_BELOW.some((place) => place.every((part, index) => parts[index] === part)));
  });
}

/**
 * Whether a path is a disk, or memory.
 *
 * @param word The path, as a shell sees it.
 * @param folder The folder that commands run in, when it is known.
 * @returns True when it is.
 */
export function isRawDevice(word: string, folder: string | undefined): boolean {
  return expandBraces(word.replace(/^\\\\[.?]\\/, "/dev/")).some((path) => {
    const [first, second] = partsOf(path, folder) ?? [];
    if (first !== "dev" || second === undefined) return false;
    return BLOCK_DEVICE.test(second) ||
      /[*?[]/.test(second) && SAMPLE_DEVICES.some((name) => matchesGlob(second, name));
  });
}
