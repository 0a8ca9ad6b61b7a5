/**
 * Trying whether a container holds on this machine.
 * @module
 */
import { UNSHARE_ARGS } from "../../workers/containment.ts";
import { join } from "../paths.ts";
import { containerCommand, type ContainerContent } from "./container_command.ts";
import { runQuietly } from "./run_quietly.ts";

/** Options of {@linkcode probeContainer}. */
export interface ProbeOptions {
  /** A folder in which the probe may make files for a while, a real path. */
  readonly folder: string;
  /** Whether commands are started from a cell that is a process-id namespace. @default {false} */
  readonly isNested?: boolean;
  /** Builds the command. @default {that of every call} */
  readonly build?: (content: ContainerContent) => readonly string[];
}

const MARK = "cloister-probe-mark";

// Says the network's name and opens a descriptor, both of which must not be found inside.
const OUTSIDE = `folder=$1; shift
net=$(readlink /proc/self/ns/net)
exec 7<"$folder/outside/secret"
MARK=${MARK} exec "$@" bash -c "$INSIDE" probe "$folder" "$net"`;

// Each line of output is something that must not be possible. Nothing here changes anything when it is.
const INSIDE = `exec 2>/dev/null
folder=$1 net=$2 space=$1/space
can() { echo "$1"; }
( : > "$folder/outside/file" ) && can "writes outside of the workspace"
( : > /usr/.cloister-probe ) && can "writes to /usr"
( : < "$folder/outside/secret" ) && can "reads outside of the workspace"
( : < /etc/shadow ) && can "reads /etc/shadow"
mount -o remount,rw,bind /usr && can "mounts /usr anew"
mount -o remount,rw,bind "$space/kept" && can "mounts a protected place anew"
( : > "$space/kept/file" ) && can "writes to a protected place"
mv "$space/kept" "$space/moved" && can "moves a protected place"
mv "$space/above" "$space/moved" && can "moves the folder above a protected place"
( : >> /proc/sys/kernel/core_pattern ) && can "changes settings of the kernel"
( : >> /proc/sysrq-trigger ) && can "changes settings of the kernel"
unshare --user true && can "makes a user namespace"
[ "$(readlink /proc/self/ns/net)" = "$net" ] && can "has the network"
[ -e /proc/self/fd/7 ] || [ -e /proc/1/fd/7 ] && can "has descriptors of its parent"
tr '\\0' '\\n' < /proc/1/environ | while read -r line; do
  case $line in *${MARK}*) can "has variables of its parent" ;; esac
done
[ -n "$(find /run /tmp /var -type s)" ] && can "reaches sockets of the machine"
( : > "$space/file" ) || echo "cannot write to the workspace"
( : > "$HOME/file" ) || echo "cannot write to its HOME"
echo done`;

/**
 * Runs a few commands in a container, and looks that what must be refused is.
 *
 * @param options Where, and which command.
 * @returns Why it does not hold, for a person; `undefined` when it does.
 */
export async function probeContainer(
  { folder, isNested = false, build = containerCommand }: ProbeOptions,
): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return "containers need Linux";
  let base: string;
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    base = Deno.realPathSync(Deno.makeTempDirSync({ dir: folder, prefix: "container-" }));
  } catch (error) {
    return `the folder for trying it cannot be made: ${(error as Error).message}`;
  }
  try {
    const inside = ["outside", "home", "space", "space/kept", "space/above", "space/above/kept"];
    for (const name of inside) Deno.mkdirSync(join(base, name));
    Deno.writeTextFileSync(join(base, "outside/secret"), "secret");
    const space = join(base, "space");
    const command = build({
      workspace: space,
      home: join(base, "home"),
      pinned: [join(space, "above")],
      readOnly: [join(space, "kept"), join(space, "above/kept")],
      isNested,
      network: false,
    });
    const before = isNested ? ["unshare", ...UNSHARE_ARGS] : [];
    const { output } = await runQuietly(OUTSIDE, [base, ...before, ...command], { INSIDE });
    const lines = output.trim().split("\n");
    if (lines.pop() !== "done") return `bubblewrap does not start: ${output.trim() || "no answer"}`;
    return lines.length === 0 ? undefined : `a command in it ${[...new Set(lines)].join(", ")}`;
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
}
