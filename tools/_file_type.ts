/**
 * What kind of binary file some bytes are.
 * @module
 */
import { encodingOf } from "./_text.ts";

type Signature = readonly [offset: number, bytes: string, type: string];

// Bytes as Latin-1 text.
const SIGNATURES: readonly Signature[] = [
  [0, "\x89PNG\r\n\x1a\n", "PNG image"],
  [0, "\xff\xd8\xff", "JPEG image"],
  [0, "GIF87a", "GIF image"],
  [0, "GIF89a", "GIF image"],
  [8, "WEBP", "WebP image"],
  [0, "II*\0", "TIFF image"],
  [0, "MM\0*", "TIFF image"],
  [0, "\0\0\x01\0", "Windows icon"],
  [0, "%PDF-", "PDF document"],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Microsoft Office document"],
  [0, "\x1f\x8b", "gzip archive"],
  [0, "BZh", "bzip2 archive"],
  [0, "\xfd7zXZ\0", "xz archive"],
  [0, "\x28\xb5\x2f\xfd", "zstd archive"],
  [0, "7z\xbc\xaf\x27\x1c", "7-Zip archive"],
  [0, "Rar!\x1a\x07", "RAR archive"],
  [257, "ustar", "tar archive"],
  [0, "\x7fELF", "ELF program"],
  [0, "\xcf\xfa\xed\xfe", "Mach-O program"],
  [0, "\xca\xfe\xba\xbe", "Java class or Mach-O program"],
  [0, "\0asm", "WebAssembly module"],
  [0, "SQLite format 3\0", "SQLite database"],
  [4, "ftyp", "MP4 or QuickTime video"],
  [0, "\x1a\x45\xdf\xa3", "Matroska or WebM video"],
  [0, "OggS", "Ogg media"],
  [8, "WAVE", "WAV audio"],
  [0, "fLaC", "FLAC audio"],
  [0, "ID3", "MP3 audio"],
  [0, "wOFF", "web font"],
  [0, "wOF2", "web font"],
];

/** Short signatures that ordinary text may also begin with; they count only beside a NUL byte. */
const WEAK: readonly Signature[] = [
  [0, "MZ", "Windows program"],
  [0, "BM", "bitmap image"],
];
const TEXT_LIKE = new Set(["bzip2 archive", "Ogg media", "FLAC audio", "MP3 audio", "web font"]);
const ZIP_PARTS: readonly (readonly [string, string])[] = [
  ["word/", "Word document (docx)"],
  ["xl/", "Excel workbook (xlsx)"],
  ["ppt/", "PowerPoint presentation (pptx)"],
  ["opendocument.text", "OpenDocument text (odt)"],
  ["opendocument.spreadsheet", "OpenDocument spreadsheet (ods)"],
  ["epub+zip", "EPUB book"],
  ["META-INF/MANIFEST.MF", "Java archive (jar)"],
];

/**
 * Tells what a binary file is by its first bytes.
 *
 * @param head The first kilobytes of the file.
 * @returns The type, or `undefined` when the bytes look like text.
 */
export function binaryType(head: Uint8Array): string | undefined {
  if (encodingOf(head).startsWith("utf-16")) return undefined;
  // TextDecoder's "latin1" is windows-1252, which changes the bytes from 0x80 to 0x9F.
  const latin = String.fromCharCode(...head);
  if (latin.startsWith("PK\x03\x04") || latin.startsWith("PK\x05\x06")) return zipType(latin);
  const binary = head.includes(0);
  const known = (binary ? [...SIGNATURES, ...WEAK] : SIGNATURES).find(([offset, bytes]) =>
    latin.startsWith(bytes, offset)
  )?.[2];
  // A signature of printable letters could open a text as well, so it counts only with control bytes.
  if (known && (binary || !TEXT_LIKE.has(known) || hasControls(head))) return known;
  if (!binary) return undefined;
  return looksLikeUtf16(head) ? "UTF-16 text without byte order mark" : "unknown binary data";
}

function zipType(latin: string): string {
  return ZIP_PARTS.find(([part]) => latin.includes(part))?.[1] ?? "zip archive";
}

function hasControls(head: Uint8Array): boolean {
  return head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
}

function looksLikeUtf16(head: Uint8Array): boolean {
  const zeros = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]! += 1;
  });
  const half = head.length / 2;
  return half >= 2 && Math.max(...zeros) > half * 0.6 && Math.min(...zeros) < half * 0.1;
}
