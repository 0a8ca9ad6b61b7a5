/**
 * The MCP clients whose configuration is known, and where each keeps it.
 * @module
 */

/** A client, as it is named on the command line. */
export type ClientName = "claude" | "vscode" | "cursor" | "codex" | "gemini";

/** Every client, in the order in which they are told. */
export const CLIENT_NAMES: readonly ClientName[] = Object.freeze([
  "claude",
  "vscode",
  "cursor",
  "codex",
  "gemini",
]);

/** One file that a client reads its servers from. */
export interface ClientFile {
  /** Which program reads it. */
  readonly program: string;
  /** For whom it holds: one project, or everything this person does. */
  readonly scope: "project" | "user";
  /** The system it is for, as `Deno.build.os` names it; absent for every system. */
  readonly os?: "linux" | "darwin" | "windows";
  /** The file; `~` is the home folder, a project's file is relative to the project. */
  readonly path: string;
}

const everywhere = (program: string, path: string): readonly ClientFile[] => [
  { program, scope: "user", path: `~/${path}` },
  { program, scope: "project", path },
];

const CLAUDE_DESKTOP: readonly ClientFile[] = [
  {
    program: "Claude Desktop",
    scope: "user",
    os: "darwin",
    path: "~/Library/Application Support/Claude/claude_desktop_config.json",
  },
  {
    program: "Claude Desktop",
    scope: "user",
    os: "windows",
    path: "%APPDATA%\\Claude\\claude_desktop_config.json",
  },
  {
    program: "Claude Desktop",
    scope: "user",
    os: "linux",
    path: "~/.config/Claude/claude_desktop_config.json",
  },
];

const CLAUDE_CODE: readonly ClientFile[] = [
  { program: "Claude Code", scope: "project", path: ".mcp.json" },
  { program: "Claude Code", scope: "user", path: "~/.claude.json" },
];

const VS_CODE: readonly ClientFile[] = [
  { program: "VS Code", scope: "project", path: ".vscode/mcp.json" },
  { program: "VS Code", scope: "user", os: "linux", path: "~/.config/Code/User/mcp.json" },
  {
    program: "VS Code",
    scope: "user",
    os: "darwin",
    path: "~/Library/Application Support/Code/User/mcp.json",
  },
  { program: "VS Code", scope: "user", os: "windows", path: "%APPDATA%\\Code\\User\\mcp.json" },
];

const FILES: Readonly<Record<Exclude<ClientName, "claude">, readonly ClientFile[]>> = {
  vscode: VS_CODE,
  cursor: everywhere("Cursor", ".cursor/mcp.json"),
  codex: everywhere("Codex", ".codex/config.toml"),
  gemini: everywhere("Gemini CLI", ".gemini/settings.json"),
};

/**
 * The files that a client reads servers from.
 *
 * @param client The client.
 * @param transport How the server is reached: Claude Desktop's file takes servers that it starts, and no others.
 * @returns The files.
 */
export function clientFiles(
  client: ClientName,
  transport: "stdio" | "http",
): readonly ClientFile[] {
  if (client !== "claude") return FILES[client];
  return transport === "stdio" ? [...CLAUDE_DESKTOP, ...CLAUDE_CODE] : CLAUDE_CODE;
}
