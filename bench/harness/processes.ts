/**
 * Times whole processes, looks at their memory, keeps a core busy.
 * @module
 */
import { SkipRow } from "./row.ts";

/** A command line. */
export interface Command {
  /** The program. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its working folder. */
  readonly cwd?: string;
}

/**
 * Runs a program to its end.
 *
 * @param command The command line.
 * @returns What it printed.
 * @throws {Error} If it fails; the message holds its standard error.
 */
export async function runToEnd({ program, args, cwd }: Command): Promise<string> {
  const output = await new Deno.Command(program, { args: [...args], cwd, stdin: "null" }).output();
  const decoder = new TextDecoder();
  if (!output.success) {
    const words = [program, ...args].join(" ");
    throw new Error(`"${words}" ended with ${output.code}: ${decoder.decode(output.stderr)}`);
  }
  return decoder.decode(output.stdout);
}

/**
 * Whether a program is there and starts.
 *
 * @param program Its name.
 * @param reason What to say when it is not.
 * @throws {SkipRow} If it does not start.
 */
export async function needProgram(program: string, reason: string): Promise<void> {
  try {
    await runToEnd({ program, args: ["--version"] });
  } catch {
    throw new SkipRow(reason);
  }
}

function parentOf(pid: string): number {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return -1;
  }
}

/**
 * The processes that a process started, and theirs.
 *
 * @param pid The process.
 * @returns Their process ids, without `pid` itself.
 */
export function descendants(pid: number): number[] {
  const all = [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((n) => /^\d+$/.test(n));
  const children = new Map<number, number[]>();
  for (const name of all) {
    const parent = parentOf(name);
    children.set(parent, [...children.get(parent) ?? [], Number(name)]);
  }
  const found = [...children.get(pid) ?? []];
  for (let index = 0; index < found.length; index++) {
    found.push(...children.get(found[index]!) ?? []);
  }
  return found;
}

/** The memory of processes, in bytes. */
export interface Memory {
  /** A page that several processes share counts for each with its share. */
  readonly proportional: number;
  /** A page that several processes share counts for each as a whole. */
  readonly resident: number;
}

/**
 * The memory of processes together.
 *
 * @param pids The processes.
 * @returns The sums.
 * @throws {SkipRow} If the system does not tell.
 */
export function memoryOf(pids: readonly number[]): Memory {
  const texts = pids.map(readMemory);
  const sum = (name: string) =>
    texts.reduce(
      (all, text) => all + Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)![1]),
      0,
    );
  return { proportional: sum("Pss") * 1024, resident: sum("Rss") * 1024 };
}

/** The most that was seen of a process and those below it. */
export interface Peaks {
  /** Proportional set size in bytes. */
  readonly memory: number;
  /** How many processes. */
  readonly processes: number;
}

/**
 * Looks again and again at a process and those below it.
 *
 * @param pid The process.
 * @param everyMs Milliseconds between looks.
 * @returns Ends the looking, and tells the peaks.
 */
export function watchPeaks(pid: number, everyMs = 100): () => Peaks {
  let peaks: Peaks = { memory: 0, processes: 0 };
  const timer = setInterval(() => {
    const pids = [pid, ...descendants(pid)];
    const memory = pids.reduce((sum, one) => sum + proportionalOf(one), 0);
    peaks = {
      memory: Math.max(peaks.memory, memory),
      processes: Math.max(peaks.processes, pids.length),
    };
  }, everyMs);
  return () => {
    clearInterval(timer);
    return peaks;
  };
}

// A process may be gone since it was listed.
function proportionalOf(pid: number): number {
  try {
    return memoryOf([pid]).proportional;
  } catch {
    return 0;
  }
}

function readMemory(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/smaps_rollup`);
  } catch {
    throw new SkipRow("this system does not tell the proportional set size of a process");
  }
}

/**
 * Keeps one core busy until it is disposed of.
 *
 * @returns The owner of the busy process.
 */
export function keepCoreBusy(): AsyncDisposable {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "for (;;);"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
