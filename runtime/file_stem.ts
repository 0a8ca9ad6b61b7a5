/**
 * File names from any text.
 * @module
 */
const MAX_STEM = 120;

/**
 * A safe file name for any text: letters, digits, `-` and `_` stay, everything else becomes `_`, and a
 * changed or cut name gets a hash, so that two texts do not share one.
 *
 * @param id Any text.
 * @returns A name without an extension.
 */
export function safeFileStem(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, "_");
  if (plain === id && id !== "" && id.length <= MAX_STEM) return id;
  // deno-lint-ignore no-process-global -- an import would load it for the usual names too, which need no hash
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${plain.slice(0, MAX_STEM) || "result"}-${hash}`;
}
