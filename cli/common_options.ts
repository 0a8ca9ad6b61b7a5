/**
 * The options that every command takes.
 * @module
 */
import type { OptionTable } from "./command.ts";

/** The common options. */
export const COMMON_OPTIONS: OptionTable = Object.freeze({
  root: {
    type: "string",
    multiple: true,
    value: "DIR",
    help: "folder with tool files; may be repeated (default: ./tools)",
  },
  config: { type: "string", value: "FILE", help: "configuration (default: ./cloister.json)" },
  workspace: {
    type: "string",
    value: "DIR",
    help: "folder that tools work in (default: the current folder)",
  },
  "edit-tools": {
    type: "boolean",
    help: "let tools write where tool files are; what they write there is run",
  },
  json: { type: "boolean", help: "print results as JSON" },
  quiet: { type: "boolean", short: "q", help: "print results and errors only" },
  "no-color": { type: "boolean", help: "no colours, even on a terminal" },
  help: { type: "boolean", short: "h", help: "show help" },
  version: { type: "boolean", short: "V", help: "show the version" },
});
