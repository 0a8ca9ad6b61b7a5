/**
 * From a module's bytes to its text.
 * @module
 */
import type { Diagnostic } from "../core/diagnostic.ts";
import { MAX_MODULE_BYTES } from "../core/limits.ts";
import { diagnosticAt, type Place } from "./scan_findings.ts";
import type { ModuleSource } from "./scan_types.ts";

/** A module's text, or why its bytes are none. */
export type DecodedSource =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/**
 * Decodes a module: UTF-8, with or without a byte order mark, no NUL, at most 1 MB.
 *
 * @param source The module.
 * @returns Its text without the byte order mark, or a diagnostic.
 */
export function decodeSource(source: ModuleSource): DecodedSource {
  const { path, bytes } = source;
  if (bytes.length > MAX_MODULE_BYTES) return tooLarge(path, bytes.length);
  if (startsAsUtf16(bytes)) return notUtf8(path, { line: 1, column: 1 }, "UTF-16");
  const text = decode(bytes);
  if (text === undefined) return notUtf8(path, firstInvalidPlace(bytes));
  const nul = text.indexOf("\0");
  return nul < 0 ? { ok: true, text } : nulByte(path, placeAfter(text.slice(0, nul)));
}

function decode(bytes: Uint8Array, stream = false): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

function startsAsUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function firstInvalidPlace(bytes: Uint8Array): Place {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (decode(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  return placeAfter(decode(bytes.subarray(0, good), true) ?? "");
}

function placeAfter(text: string): Place {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function tooLarge(path: string, size: number): DecodedSource {
  return refuse(path, { line: 1, column: 1 }, {
    code: "too_large",
    message: `Cannot read a module of ${size} bytes: the limit is ${MAX_MODULE_BYTES}`,
    hint: "Split the module, or read large data from a file in the handler",
  });
}

function notUtf8(path: string, place: Place, found = "other bytes"): DecodedSource {
  return refuse(path, place, {
    code: "not_utf8",
    message: `Cannot read the module as UTF-8: found ${found}`,
    hint: "Save the file as UTF-8",
  });
}

function nulByte(path: string, place: Place): DecodedSource {
  return refuse(path, place, {
    code: "nul_byte",
    message: "Cannot read the module: found a NUL character",
    hint: "Save the file as UTF-8 text, and write \\0 where a text needs that character",
  });
}

function refuse(
  path: string,
  place: Place,
  finding: { code: string; message: string; hint: string },
): DecodedSource {
  return { ok: false, diagnostic: diagnosticAt(path, place, { severity: "error", ...finding }) };
}
