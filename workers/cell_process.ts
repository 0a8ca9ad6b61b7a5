/**
 * The child process of a cell: its start, what it prints, its end.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { buildCellCommand, type CellSettings, type CellSpec } from "./cell_command.ts";
import { type Containment, killGroup } from "./containment.ts";
import { OutputLog } from "./output_log.ts";
import type { CellEnd } from "./worker_link.ts";

/** How long a process's last words may take to arrive, in milliseconds. */
const LAST_WORDS_MS = 150;
/** What Deno prints when a signal has opened the inspector of a process. */
const INSPECTOR_OPENED = /^Debugger listening on ws:/;
const HEAP_FULL = /out of memory|OOM error|memory allocation of \d+ bytes failed/i;

/** Receives what a cell's process does. */
export interface CellProcessHandlers {
  /** A line that it printed. */
  onOutput(stream: "stdout" | "stderr", line: string): void;
  /** Its inspector was opened: anybody on this machine could run code in it. */
  onInspector(): void;
  /** It ended, or could not be started. */
  onExit(end: CellEnd): void;
}

/** The child process of a cell. */
export class CellProcess {
  readonly #child: ChildProcess;
  readonly #path: string;
  readonly #memoryMb: number;
  readonly #handlers: CellProcessHandlers;
  readonly #killsGroup: boolean;
  readonly #stderr: OutputLog;
  readonly #gone = Promise.withResolvers<void>();
  #exited = false;

  /**
   * Starts the process.
   *
   * @param spec What the cell is started with.
   * @param settings What all cells share.
   * @param how How its programs are made to end with it, and its lock file.
   * @param handlers Receive what it prints and its end.
   * @throws {Error} If the program is not found or may not be started.
   */
  constructor(
    spec: CellSpec,
    settings: CellSettings,
    how: { readonly containment: Containment; readonly lock?: string },
    handlers: CellProcessHandlers,
  ) {
    this.#path = settings.path;
    this.#memoryMb = spec.memoryMb;
    this.#handlers = handlers;
    const line = buildCellCommand(spec, settings, how.containment, how.lock);
    this.#killsGroup = line.detached;
    // `kill 0` crosses a process-id namespace: in the front's own group it would end the front.
    const ownGroup = line.detached || (spec.startsPrograms && Deno.build.os !== "windows");
    this.#child = spawn(line.command, line.args, {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: line.env,
      detached: ownGroup,
    });
    if (!this.#child.stdio[3]) throw this.#cannotSpawn(line.command);
    this.#child.on("error", ({ message }) => {
      this.#gone.resolve();
      handlers.onExit({ how: "crashed", message });
    });
    this.#child.on("exit", (code, signal) => this.#exit(code, signal));
    new OutputLog(this.#child.stdout!, (text) => handlers.onOutput("stdout", text));
    this.#stderr = new OutputLog(this.#child.stderr!, (text) => {
      handlers.onOutput("stderr", text);
      if (INSPECTOR_OPENED.test(text)) handlers.onInspector();
    });
  }

  /** Its process id. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The front's end of the socket pair on its descriptor 3. */
  get channel(): Duplex {
    return this.#child.stdio[3] as Duplex;
  }

  /** Whether it has ended. */
  get exited(): boolean {
    return this.#exited;
  }

  /** Resolves when there is no process any more. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** What it printed last on stderr. */
  get lastWords(): string {
    return this.#stderr.tail.trim();
  }

  /**
   * Ends it, with every program it started as far as containment goes.
   *
   * @returns When it is gone.
   */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined || this.#exited) return;
    if (this.#killsGroup) await killGroup(pid, this.#path);
    this.#child.kill("SIGKILL");
    await this.#gone.promise;
  }

  // Then there are no streams, and the error comes later than anyone waits for it.
  #cannotSpawn(command: string): Error {
    this.#child.on("error", () => {});
    return new Error(
      `Cannot start a cell: the program "${command}" was not found, or may not be started`,
    );
  }

  async #exit(code: number | null, signal: string | null): Promise<void> {
    this.#exited = true;
    this.#gone.resolve();
    // What it printed last tells whether its heap was full; a program it started may hold the pipe open.
    await this.#stderr.ended(LAST_WORDS_MS);
    this.#handlers.onExit(this.#explain(signal ? `signal ${signal}` : `exit code ${code}`));
  }

  #explain(how: string): CellEnd {
    return HEAP_FULL.test(this.#stderr.tail)
      ? { how: "memory", message: `Its heap was full at ${this.#memoryMb} MB (${how})` }
      : { how: "crashed", message: `Its process ended with ${how}` };
  }
}
