/**
 * Approvals that hold always, in a file of the user's own outside of every workspace.
 * @module
 */
import { dirname, isAbsolute, join } from "../paths.ts";
import type { HostEnvironment } from "../host_environment.ts";
import { isBelow } from "./workspace_paths.ts";

/** Most approvals in the file; the oldest goes first. */
const CAPACITY = 1_000;
const OTHERS_WRITE = 0o022;

/** One approval that holds always. */
export interface KeptApproval {
  /** Hash of what it holds for. */
  readonly key: string;
  /** The tool, for whoever reads the file. */
  readonly tool: string;
  /** What was approved, for whoever reads the file. */
  readonly what: string;
}

/** What the file works with. */
export interface ApprovalFileOptions {
  /** Reads `XDG_CONFIG_HOME` and `HOME`. */
  readonly environment: HostEnvironment;
  /** The workspace, a real path: a file in it is no file of the user's own. */
  readonly workspace: string;
  /** Receives why the file is not used. */
  readonly warn: (message: string) => void;
}

/** Keeps approvals on the disk. */
export class ApprovalFile {
  readonly #options: ApprovalFileOptions;
  readonly #warned = new Set<string>();

  /**
   * Names the file; it is read when somebody asks.
   *
   * @param options Where it is.
   */
  constructor(options: ApprovalFileOptions) {
    this.#options = options;
  }

  /** The file's path; `undefined` where the user has no folder for configuration. */
  get path(): string | undefined {
    const { environment } = this.#options;
    const own = environment("XDG_CONFIG_HOME");
    const home = environment("HOME");
    const folder = own && isAbsolute(own) ? own : home && isAbsolute(home) && join(home, ".config");
    return folder ? join(folder, "cloister", "approvals.json") : undefined;
  }

  /**
   * The keys of what is approved.
   *
   * @returns The keys; none where the file cannot be trusted, which is said.
   */
  keys(): ReadonlySet<string> {
    const path = this.path;
    return new Set(path === undefined ? [] : this.#read(path).map(({ key }) => key));
  }

  /**
   * Adds approvals.
   *
   * @param approvals What was approved.
   */
  async add(approvals: readonly KeptApproval[]): Promise<void> {
    const path = this.path;
    if (path === undefined) return this.#warn("there is no HOME to keep it in");
    const folder = dirname(path);
    try {
      Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Of two processes that add at once none must lose what the other one wrote.
      using held = await Deno.open(folder);
      await held.lock(true);
      const fault = this.#fault(path);
      if (fault !== undefined) return this.#warn(fault);
      const known = this.#read(path).filter(({ key }) => !approvals.some((one) => one.key === key));
      const always = [...known, ...approvals].slice(-CAPACITY);
      const temporary = join(folder, `.approvals-${crypto.randomUUID()}`);
      const text = `${JSON.stringify({ version: 1, always }, null, 2)}\n`;
      Deno.writeTextFileSync(temporary, text, { mode: 0o600, createNew: true });
      Deno.renameSync(temporary, path);
    } catch (error) {
      this.#warn((error as Error).message);
    }
  }

  #read(path: string): readonly KeptApproval[] {
    try {
      if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return [];
      if (statOf(path) === undefined) return [];
      const fault = this.#fault(path);
      if (fault !== undefined) throw new Error(fault);
      const { version, always } = JSON.parse(Deno.readTextFileSync(path));
      if (version !== 1 || !Array.isArray(always)) throw new Error("it is of an unknown shape");
      return always.filter((entry) => typeof entry?.key === "string");
    } catch (error) {
      this.#warn((error as Error).message);
      return [];
    }
  }

  // Whoever else may write it approves what that one likes.
  #fault(path: string): string | undefined {
    const folder = dirname(path);
    const { workspace } = this.#options;
    const real = Deno.realPathSync(folder);
    if (isBelow(real, workspace)) return "it is in the workspace, which tools may write";
    if (Deno.build.os === "windows") return undefined;
    const uid = Deno.uid();
    for (const at of [real, path]) {
      const info = statOf(at);
      if (info === undefined) continue;
      if (info.isSymlink) return `${at} is a link`;
      if (info.uid !== uid) return `${at} belongs to somebody else`;
      if (((info.mode ?? 0) & OTHERS_WRITE) !== 0) return `${at} can be written by others`;
    }
    return undefined;
  }

  #warn(reason: string): void {
    if (this.#warned.has(reason)) return;
    this.#warned.add(reason);
    this.#options.warn(
      `Approvals that hold always are not kept in "${
        this.path ?? "approvals.json"
      }": ${reason}. They hold until ` +
        "this process ends",
    );
  }
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
