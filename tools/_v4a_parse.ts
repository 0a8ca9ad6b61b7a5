/**
 * Reads a patch of the V4A form.
 * @module
 */
import { ToolError } from "@cloister/cloister/tool";

/** A line of a chunk: kept, removed or added. */
export interface ChunkLine {
  /** What becomes of it. */
  readonly mark: " " | "-" | "+";
  /** The line. */
  readonly text: string;
}

/** A change at one place of a file. */
export interface Chunk {
  /** Lines to look for first, one after the other: what followed `@@`. */
  readonly anchors: readonly string[];
  /** The lines of the chunk. */
  readonly lines: readonly ChunkLine[];
  /** Whether the chunk must end where the file ends. */
  readonly endOfFile: boolean;
  /** The chunk's first line in the patch, from 1. */
  readonly line: number;
}

/** What to do with one file. */
export type Operation =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
    readonly kind: "update";
    readonly path: string;
    readonly moveTo: string | undefined;
    readonly chunks: readonly Chunk[];
  };

const HEADER = /^\*\*\* (Add|Update|Delete) File: (.*)$/;

/**
 * Reads a patch.
 *
 * @param patch The patch, from `*** Begin Patch` to `*** End Patch`.
 * @returns What to do, file by file, in order.
 * @throws {ToolError} If the patch is not of this form; the message names the line.
 */
export function parsePatch(patch: string): Operation[] {
  const reader = new Reader(patch.replaceAll("\r\n", "\n").split("\n"));
  const operations: Operation[] = [];
  reader.begin();
  while (!reader.done()) operations.push(reader.operation());
  if (operations.length === 0) throw new ToolError("Cannot apply the patch: it names no file");
  return operations;
}

class Reader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  begin(): void {
    while (this.#lines[this.#at]?.trim() === "") this.#at++;
    if (this.#lines[this.#at]?.trim() !== "*** Begin Patch") {
      throw this.#fault('"*** Begin Patch" was expected');
    }
    this.#at++;
  }

  done(): boolean {
    while (this.#lines[this.#at]?.trim() === "") this.#at++;
    const line = this.#lines[this.#at];
    if (line === undefined) {
      throw this.#fault('the patch ends without "*** End Patch"; it may have been cut');
    }
    if (line.trim() !== "*** End Patch") return false;
    const after = this.#lines.findIndex((rest, index) => index > this.#at && rest.trim() !== "");
    if (after === -1) return true;
    this.#at = after;
    throw this.#fault('nothing was expected after "*** End Patch"');
  }

  operation(): Operation {
    const [, kind, rest] = HEADER.exec(this.#lines[this.#at]!.trimEnd()) ?? [];
    const path = rest?.trim();
    if (!path) {
      throw this.#fault(
        '"*** Add File: PATH", "*** Update File: PATH" or "*** Delete File: PATH" was expected',
      );
    }
    this.#at++;
    if (kind === "Delete") return { kind: "delete", path };
    return kind === "Add" ? this.#add(path) : this.#update(path);
  }

  #add(path: string): Operation {
    const lines: string[] = [];
    for (
      let line;
      (line = this.#lines[this.#at]) !== undefined && line.startsWith("+");
      this.#at++
    ) {
      lines.push(line.slice(1));
    }
    const next = this.#lines[this.#at];
    if (next !== undefined && next.trim() !== "" && !next.startsWith("*** ")) {
      throw this.#fault(`every line of the new file "${path}" must begin with "+"`);
    }
    return { kind: "add", path, content: lines.map((line) => `${line}\n`).join("") };
  }

  #update(path: string): Operation {
    const move = /^\*\*\* Move to: (.+)$/.exec(this.#lines[this.#at] ?? "")?.[1]?.trim();
    if (move) this.#at++;
    const chunks: Chunk[] = [];
    while (!this.#endsUpdate()) chunks.push(this.#chunk(path));
    if (chunks.length === 0 && !move) throw this.#fault(`the update of "${path}" changes nothing`);
    return { kind: "update", path, moveTo: move, chunks };
  }

  #endsUpdate(): boolean {
    const line = this.#lines[this.#at];
    return line === undefined || (line.startsWith("*** ") && line.trim() !== "*** End of File");
  }

  #chunk(path: string): Chunk {
    const first = this.#at + 1;
    const anchors = this.#anchors();
    const lines: ChunkLine[] = [];
    while (!this.#endsUpdate() && !this.#lines[this.#at]!.startsWith("@@")) {
      if (this.#lines[this.#at]!.trim() === "*** End of File") break;
      lines.push(this.#chunkLine());
    }
    const endOfFile = this.#lines[this.#at]?.trim() === "*** End of File";
    while (endOfFile && /^(?:\*\*\* End of File)?\s*$/.test(this.#lines[this.#at] ?? "+")) {
      this.#at++;
    }
    // Empty lines before the next header separate sections; they are no context.
    for (let at = this.#at - 1; !endOfFile && this.#endsUpdate() && this.#lines[at] === ""; at--) {
      lines.pop();
    }
    if (!lines.some(({ mark }) => mark !== " ")) {
      this.#at = first - 1;
      throw this.#fault(`this chunk of "${path}" adds and removes nothing`);
    }
    return { anchors, lines, endOfFile, line: first };
  }

  #anchors(): string[] {
    const anchors: string[] = [];
    for (let line; (line = this.#lines[this.#at])?.startsWith("@@"); this.#at++) {
      const anchor = line.slice(2).replace(/^ /, "").replace(/\s*@@\s*$/, "").trimEnd();
      if (anchor !== "") anchors.push(anchor);
    }
    return anchors;
  }

  #chunkLine(): ChunkLine {
    const line = this.#lines[this.#at]!;
    const mark = line === "" ? " " : line[0];
    if (mark !== " " && mark !== "-" && mark !== "+") {
      throw this.#fault('a line of a chunk must begin with " ", "-" or "+"');
    }
    this.#at++;
    return { mark, text: line.slice(1) };
  }

  #fault(expected: string): ToolError {
    const line = this.#lines[this.#at];
    const shown = line === undefined
      ? "its end"
      : `line ${this.#at + 1}, ${JSON.stringify(line.slice(0, 100))}`;
    return new ToolError(`Cannot read the patch at ${shown}: ${expected}`);
  }
}
