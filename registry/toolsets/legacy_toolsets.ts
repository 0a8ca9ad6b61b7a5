/**
 * Names that toolsets had before they were toolsets. They count only where nothing else has the name.
 * @module
 */

/** Old name to the tools that it stood for. */
export const LEGACY_TOOLSETS: ReadonlyMap<string, readonly string[]> = new Map([
  ["file_tools", Object.freeze(["patch", "read_file", "search_files", "write_file"])],
  ["terminal_tools", Object.freeze(["terminal"])],
  ["web_tools", Object.freeze(["web_extract"])],
]);
