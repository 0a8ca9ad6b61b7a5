/**
 * The options of `mcp`.
 * @module
 */
import type { OptionTable } from "./command.ts";

const grant = (kind: string, value: string) =>
  ({
    type: "string",
    multiple: true,
    value,
    help: `add: grant ${kind} without asking; may be repeated`,
  }) as const;

/** The options. */
export const MCP_OPTIONS: OptionTable = Object.freeze({
  yes: { type: "boolean", short: "y", help: "add, accept: do it without asking" },
  force: { type: "boolean", help: "add: replace a server of the same name" },
  "allow-read": grant("reading", "PATH"),
  "allow-write": grant("writing", "PATH"),
  "allow-net": grant("a host", "HOST"),
  "allow-env": grant("a variable", "NAME"),
  "allow-sys": grant("system information", "KIND"),
  "allow-run": grant("a program", "NAME"),
  env: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    help: "add: set a variable of the server; may be repeated",
  },
  client: {
    type: "string",
    value: "CLIENT",
    help: "config: claude, vscode, cursor, codex or gemini",
  },
  name: {
    type: "string",
    value: "NAME",
    help: "config: the name for the client (default: cloister)",
  },
  http: { type: "string", value: "URL", help: "config: use a running server at this URL" },
  "no-token": { type: "boolean", help: "config: with --http, for a server without a token" },
  deno: {
    type: "string",
    value: "PATH",
    help: "config: the Deno to start, where the client finds none by its name",
  },
});
