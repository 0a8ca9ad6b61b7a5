/**
 * The command that starts a program in a container that holds the workspace and nothing else of the machine.
 * @module
 */
import { UNSHARE_ARGS } from "../../workers/containment.ts";

/** What is in a container. */
export interface ContainerContent {
  /** The workspace, a real path: it can be written. */
  readonly workspace: string;
  /** What HOME is, a real path: it can be written, and is kept. */
  readonly home: string;
  /** Existing places in the workspace that can be written, but not moved. */
  readonly pinned: readonly string[];
  /** Existing places in the workspace that cannot be written. */
  readonly readOnly: readonly string[];
  /** Whether it is started inside of a process-id namespace whose `/proc` is that of the machine. */
  readonly isNested: boolean;
  /** Whether it has the machine's network. */
  readonly network: boolean;
}

const ETC: readonly string[] =
  "alternatives ssl ca-certificates passwd group nsswitch.conf ld.so.cache localtime".split(" ");
const NETWORK_ETC: readonly string[] = ["resolv.conf", "hosts"];
const LINKED: readonly string[] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];
// Root escapes the number of processes (measured on Linux 6.18). The limits are set inside, so that processes of the
// same user outside do not count.
const LIMITS: readonly string[] = [
  "/usr/bin/prlimit",
  "--nproc=4096",
  "--core=0",
  "--data=17179869184",
  "--",
];
// What is open in this process would be open in the container too, and through /proc/1/fd. Only bash closes numbers of
// two digits.
const CLOSE_DESCRIPTORS =
  'for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done; exec "$@"';

// bubblewrap looks its child up in /proc, and fails where the numbers there are others.
const OWN_PROC: readonly string[] = [
  "/usr/bin/unshare",
  ...UNSHARE_ARGS.slice(0, -1),
  "--mount-proc",
  "--",
];

/**
 * Builds what stands before a program and its arguments.
 *
 * @param content What is in the container.
 * @returns Program and arguments. Every path of a program is absolute.
 */
export function containerCommand(content: ContainerContent): readonly string[] {
  return [
    ...["/usr/bin/bash", "-c", CLOSE_DESCRIPTORS, "bash"],
    // The variables of whoever starts it could be read from /proc/1/environ.
    ...["/usr/bin/env", "-i"],
    ...(content.isNested ? OWN_PROC : []),
    "/usr/bin/bwrap",
    ...flags(content),
    "--",
    ...LIMITS,
  ];
}

function flags({ workspace, home, pinned, readOnly, network }: ContainerContent): string[] {
  return [
    ...words("--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent"),
    ...words("--new-session --clearenv --setenv LANG C.UTF-8 --setenv TERM dumb"),
    ...words("--setenv PATH /usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"),
    ...["--setenv", "HOME", home],
    ...(network ? ["--share-net"] : []),
    ...words("--ro-bind /usr /usr"),
    ...LINKED.flatMap(linked),
    ...[...ETC, ...network ? NETWORK_ETC : []].flatMap((name) =>
      bind("--ro-bind-try", `/etc/${name}`)
    ),
    ...words("--dev /dev --proc /proc --size 4294967296 --tmpfs /tmp"),
    ...words("--size 1048576 --tmpfs /run --size 1073741824 --tmpfs /dev/shm"),
    ...bind("--bind", home),
    ...bind("--bind", workspace),
    ...pinned.flatMap((path) => bind("--bind", path)),
    ...readOnly.flatMap((path) => bind("--ro-bind", path)),
    // Without the first, root in the container writes the settings of the kernel, and with them starts programs
    // outside: /proc/sys belongs to it, whatever capabilities it lacks (measured on bubblewrap 0.8.0, Linux 6.18).
    ...words("--remount-ro /proc --remount-ro /dev --remount-ro /"),
  ];
}

function words(text: string): string[] {
  return text.split(" ");
}

function bind(flag: string, path: string): string[] {
  return [flag, path, path];
}

function linked(name: string): string[] {
  const path = `/${name}`;
  try {
    return Deno.lstatSync(path).isSymlink
      ? ["--symlink", Deno.readLinkSync(path), path]
      : bind("--ro-bind", path);
  } catch {
    return [];
  }
}
