/**
 * Long results as resources: a shortened result carries a link, and `resources/read` gives the whole text.
 * @module
 */
import { lstat, readFile } from "node:fs/promises";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { ResourceLinkBlock } from "../../core/content.ts";
import type { SpilledResult } from "../../core/result.ts";
import { grouped } from "../../runtime/results/persisted_output.ts";
import { markText, untrustedMarks } from "../../runtime/results/untrusted.ts";
import { isUntrustedSpill } from "../../runtime/spill.ts";

/** The address of a result, for `resources/templates/list`. */
export const RESULT_TEMPLATE = "cloister://results/{file}";
const PREFIX = "cloister://results/";
/** Links that are remembered; the oldest goes first. */
const MAX_LINKS = 4_096;
/** Longest text that is given in one answer, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Linked {
  readonly path: string;
  readonly principal: string;
}

/** The links that this process gave out. What it gave to nobody, nobody can read. */
export class ResultLinks {
  readonly #links = new Map<string, Linked>();

  /**
   * Makes a link to the whole of a result that was shortened.
   *
   * @param spilled Where it is.
   * @param principal Who may follow the link.
   * @returns The link.
   */
  link({ path, chars }: SpilledResult, principal: string): ResourceLinkBlock {
    const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
    const uri = PREFIX + encodeURIComponent(file);
    this.#links.set(uri, { path, principal });
    if (this.#links.size > MAX_LINKS) this.#links.delete(this.#links.keys().next().value!);
    return {
      type: "resource_link",
      uri,
      name: file,
      mimeType: "text/plain",
      description: `The whole result, ${grouped(chars)} characters; kept for a day`,
    };
  }

  /**
   * Reads a result by its link.
   *
   * @param uri The link's address.
   * @param principal Who asks.
   * @returns The text, marked where others wrote it.
   * @throws {ProtocolError} If there is no such result for this principal, or it is too long for one answer.
   */
  async read(uri: string, principal: string): Promise<ReadResourceResult> {
    const linked = this.#links.get(uri);
    if (linked === undefined || linked.principal !== principal) throw notFound(uri);
    const info = await lstat(linked.path).catch(() => undefined);
    if (!info?.isFile()) throw gone(uri);
    if (info.size > MAX_BYTES) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot give ${JSON.stringify(uri)} in one answer: it has ${grouped(info.size)} bytes, ` +
          `and ${grouped(MAX_BYTES)} fit. Read it page by page with the tool that the result names`,
      );
    }
    const text = await readFile(linked.path, "utf8").catch(() => undefined);
    if (text === undefined) throw gone(uri);
    const shown = isUntrustedSpill(linked.path)
      ? markText(text, untrustedMarks("resource", text))
      : text;
    return { contents: [{ uri, mimeType: "text/plain", text: shown }] };
  }
}

function gone(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(
    uri,
    `The result ${
      JSON.stringify(uri.slice(0, 300))
    } is gone: results are kept for a day, unless the cache ` +
      "folder is emptied. Make the call again",
  );
}

function notFound(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(
    uri,
    `There is no resource ${JSON.stringify(uri.slice(0, 300))}`,
  );
}
