/**
 * The files of a patch while it is worked out: nothing is written yet.
 * @module
 */
import { type ToolContext, ToolError } from "@cloister/cloister/tool";
import { type Change, refuseReadOnly } from "./_commit.ts";
import { binaryType } from "./_file_type.ts";
import { binaryError } from "./_read_page.ts";
import { decodeText, encodeText, type Encoding, ENCODING_NAMES } from "./_text.ts";
import { missing, type Place, placeOf, regularFile } from "./_workspace.ts";

const MAX_BYTES = 10_000_000;
const DIFF_TIMEOUT_MS = 5_000;

/** A file as it was and as it is to be. */
export interface Draft {
  /** Where it is. */
  readonly place: Place;
  /** Its bytes before, unless it was not there. */
  readonly before: Uint8Array | undefined;
  /** Its text before; empty when it was not there. */
  readonly original: string;
  /** How it is to be stored. */
  encoding: Encoding;
  /** Its text after; `undefined` when it is not to be there. */
  text: string | undefined;
  /** The file whose mode it takes over. */
  like: Deno.FileInfo | undefined;
}

/** A file that is there. */
export interface Existing {
  /** The file. */
  readonly draft: Draft;
  /** Its text now. */
  readonly text: string;
}

/** Every file that a call touches, each read once. */
export class Drafts {
  readonly #context: ToolContext;
  readonly #drafts = new Map<string, Draft>();

  /**
   * Starts without files.
   *
   * @param context The call's context.
   */
  constructor(context: ToolContext) {
    this.#context = context;
  }

  /**
   * Gives a file that must be there.
   *
   * @param path The path as the model gave it.
   * @returns The file and its text.
   * @throws {ToolError} If it is missing, binary, read-only, too large or not decodable.
   */
  async existing(path: string): Promise<Existing> {
    const draft = await this.#open(path);
    const { text } = draft;
    if (text === undefined) {
      if (!draft.before) throw await missing(draft.place);
      throw new ToolError(`"${draft.place.name}" was removed earlier in the patch`);
    }
    return { draft, text };
  }

  /**
   * Gives a file that must not be there.
   *
   * @param path The path as the model gave it.
   * @returns The file, without text.
   * @throws {ToolError} If something is there.
   */
  async absent(path: string): Promise<Draft> {
    const draft = await this.#open(path);
    if (draft.text === undefined) return draft;
    throw new ToolError(`Cannot create "${draft.place.name}": it is there already`);
  }

  /**
   * What has to be written.
   *
   * @returns The changes, in the order in which the files were touched.
   */
  changes(): Change[] {
    return [...this.#changed()].map(({ place, before, text, encoding, like }) => ({
      name: place.name,
      real: place.real,
      after: text === undefined ? null : encodeText(text, encoding),
      before,
      like,
    }));
  }

  /**
   * The changes as one unified diff. Line ends are shown as LF.
   *
   * @returns The diff of every changed file, one after the other.
   */
  async diff(): Promise<string> {
    const words = await import("diff");
    return [...this.#changed()].map((draft) => diffOf(draft, words)).join("");
  }

  /** The real path of the workspace. */
  get root(): string {
    return [...this.#drafts.values()][0]!.place.root;
  }

  *#changed(): Generator<Draft> {
    for (const draft of this.#drafts.values()) {
      const was = draft.before === undefined ? undefined : draft.original;
      if (draft.text !== was) yield draft;
    }
  }

  async #open(path: string): Promise<Draft> {
    const place = await placeOf(path, this.#context);
    const known = this.#drafts.get(place.real);
    if (known) return known;
    const draft = place.info ? await load(place) : fresh(place);
    this.#drafts.set(place.real, draft);
    return draft;
  }
}

function fresh(place: Place): Draft {
  const nothing = { before: undefined, text: undefined, like: undefined };
  return { place, original: "", encoding: "utf-8", ...nothing };
}

async function load(place: Place): Promise<Draft> {
  const info = await regularFile(place);
  refuseReadOnly(place.name, info);
  if (info.size > MAX_BYTES) {
    throw new ToolError(
      `Cannot patch "${place.name}": it has ${info.size} bytes, the most is ${MAX_BYTES}`,
    );
  }
  const before = await Deno.readFile(place.real);
  const type = binaryType(before.subarray(0, 8_192));
  if (type) throw binaryError(place.name, type);
  const { text, encoding, valid } = decodeText(before);
  if (!valid) {
    throw new ToolError(
      `Cannot patch "${place.name}": some of its bytes are not ${
        ENCODING_NAMES[encoding]
      } and would be lost`,
    );
  }
  return { place, before, original: text, encoding, text, like: info };
}

function diffOf(
  { place: { name }, before, original, text }: Draft,
  { createTwoFilesPatch, FILE_HEADERS_ONLY }: typeof import("diff"),
): string {
  const from = before === undefined ? "/dev/null" : `a/${name}`;
  const to = text === undefined ? "/dev/null" : `b/${name}`;
  const [old, now] = [original, text ?? ""].map((side) => side.replaceAll("\r\n", "\n"));
  const options = { context: 3, timeout: DIFF_TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY };
  const diff = createTwoFilesPatch(from, to, old!, now!, undefined, undefined, options);
  return diff ?? `--- ${from}\n+++ ${to}\n[too many changes for a diff]\n`;
}
