/**
 * The commands, in the order of the help text: what they are called and take. What a command does is loaded when
 * it is run.
 * @module
 */
import { type Command, type CommandContext, EXIT, UsageError } from "./command.ts";
import { MCP_OPTIONS } from "./mcp_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { VERSION } from "./version.ts";

const startCommand: Command = {
  name: "start",
  summary: "Serve the tools, and say what they are and what this machine guarantees",
  usage: "[--port P] [--host H]",
  arity: { min: 0, max: 0 },
  options: SERVE_OPTIONS,
  examples: [
    ["cloister start", "the built-in tools and ./tools on http://127.0.0.1:8787"],
    ["cloister start --root ./my-tools --port 9000", "with a folder of your own"],
  ],
  run: async (context) => (await import("./start.ts")).run(context),
};

const serveCommand: Command = {
  name: "serve",
  summary: "Serve the tools over HTTP on loopback",
  usage: "[--port P] [--host H]",
  arity: { min: 0, max: 0 },
  options: SERVE_OPTIONS,
  details:
    "Answers /mcp, /healthz, /readyz, /tools, /tools/:name/call and /openapi.json. Host and Origin are\n" +
    "checked. CLOISTER_TOKEN in the environment makes it ask for that bearer token.",
  examples: [
    ["cloister serve --port 0", "on a free port"],
    [
      "curl -d '{\"path\":\"README.md\"}' -H 'content-type: application/json' " +
      "http://127.0.0.1:8787/tools/read_file/call",
      "call a tool",
    ],
  ],
  run: async (context) => (await import("./serve.ts")).run(context),
};

const listCommand: Command = {
  name: "list",
  summary: "List the tools with toolset, availability, isolation and permissions",
  usage: "[--all] [--toolset T]",
  arity: { min: 0, max: 0 },
  options: {
    all: { type: "boolean", help: "also tools of toolsets that the configuration leaves out" },
    toolset: { type: "string", value: "T", help: "only tools that this toolset lists" },
  },
  details: "Files that could not be loaded are named on stderr ('failures' in JSON).",
  examples: [
    ["cloister list --toolset file", "one toolset"],
    ["cloister list --root ./my-tools --json", "a folder of your own, as JSON"],
  ],
  run: async (context) => (await import("./list.ts")).run(context),
};

const scanCommand: Command = {
  name: "scan",
  summary: "Look for tool files and say what was found and loads; no tool is called",
  usage: "[DIR…]",
  arity: { min: 0, max: Infinity },
  options: {},
  details: "With folders named, only they are looked through; else the roots and the built-in\n" +
    "tools. A module whose text leaves open whether it loads is loaded once, in a worker\n" +
    "with the grants of its tools. Exit code 1 when a file has an error.",
  examples: [
    ["cloister scan ./my-tools", "one folder"],
    ["cloister scan --json", "everything, as JSON"],
  ],
  run: async (context) => (await import("./scan.ts")).run(context),
};

const callCommand: Command = {
  name: "call",
  summary: "Call a tool once",
  usage: "NAME [JSON or -]",
  arity: { min: 1, max: 2 },
  options: {
    "timeout-ms": { type: "string", value: "MS", help: "deadline of the call in milliseconds" },
    yes: { type: "boolean", short: "y", help: "approve this one call when it needs approval" },
  },
  details: "The arguments are a JSON object; '-' reads them from stdin, nothing means {}.\n" +
    "Prints the content, or the whole result with --json. Exit code 1 when the call fails.\n" +
    "What needs approval is asked about on a terminal; elsewhere it does not run without --yes.",
  examples: [
    ['cloister call read_file \'{"path": "README.md"}\'', "arguments on the command line"],
    ["cloister call patch - --json < patch.json", "arguments from stdin, result as JSON"],
  ],
  run: async (context) => (await import("./call.ts")).run(context),
};

const explainCommand: Command = {
  name: "explain",
  summary: "Say why a tool is or is not offered: source, owner, availability, permissions",
  usage: "NAME",
  arity: { min: 1, max: 1 },
  options: {},
  examples: [["cloister explain terminal", "where it comes from and what it may touch"]],
  run: async (context) => (await import("./explain.ts")).run(context),
};

const acceptCommand: Command = {
  name: "accept",
  summary: "Take tool files that tools could have changed, after looking at the difference",
  usage: "[PATH…]",
  arity: { min: 0, max: Infinity },
  options: {
    yes: { type: "boolean", short: "y", help: "accept without being asked" },
  },
  details:
    "A tool file that changed while a tool was at work that could have changed it is held\n" +
    "back. Shows the difference of code and permissions; without PATH of all that are held.",
  examples: [
    ["cloister accept", "everything that is held, after a question"],
    ["cloister accept tools/notes.ts --yes", "one file, without a question"],
  ],
  run: async (context) => (await import("./accept.ts")).run(context),
};

const newCommand: Command = {
  name: "new",
  summary: "Write a tool file to start from",
  usage: "NAME [--toolset T] [--description TEXT]",
  arity: { min: 1, max: 1 },
  options: {
    toolset: { type: "string", value: "T", help: "the tool's toolset (default: custom)" },
    description: { type: "string", value: "TEXT", help: "what the tool does, for the model" },
  },
  details:
    "Writes NAME.ts into the first --root (default: ./tools). A file that is there already is\n" +
    "never overwritten.",
  examples: [
    ["cloister new word_count", "writes ./tools/word_count.ts"],
    ["cloister new shout --root ./my-tools --toolset text", "in a folder of your own"],
  ],
  run: async (context) => (await import("./new.ts")).run(context),
};

const permissionsCommand: Command = {
  name: "permissions",
  summary: "Print the smallest 'deno run' flags for the enabled tools",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  examples: [["deno run $(cloister permissions) my_program.ts", "run a program with them"]],
  run: async (context) => (await import("./permissions.ts")).run(context),
};

const doctorCommand: Command = {
  name: "doctor",
  summary: "Say what this machine and Deno version guarantee",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  details: "Exit code 1 when a guarantee does not hold.",
  examples: [["cloister doctor --json", "the checks, as JSON"]],
  run: async (context) => (await import("./doctor.ts")).run(context),
};

const mcpCommand: Command = {
  name: "mcp",
  summary: "Serve the tools over MCP on stdin and stdout, or manage the MCP servers in use",
  usage: "[add|list|remove|accept|login|logout|config] …",
  arity: { min: 0, max: Infinity },
  options: MCP_OPTIONS,
  details: [
    "Without a word behind it, it is an MCP server: stdout carries protocol messages only.",
    "",
    "  mcp add NAME npm:PACKAGE [-- ARG…]   find the smallest grants of a server, and write it down",
    "  mcp add NAME URL                     a remote server",
    "  mcp add NAME -- COMMAND ARG…         any other program; nothing holds it",
    "  mcp list                             the configured servers and their states",
    "  mcp remove NAME                      take one out of the configuration",
    "  mcp accept NAME [TOOL]               take changed definitions for good",
    "  mcp login NAME, mcp logout NAME      sign in to a remote server, and out",
    "  mcp config --client CLIENT           print what a client needs to use these tools",
  ].join("\n"),
  examples: [
    ["cloister mcp --workspace ./project", "a server for a client to start"],
    [
      "cloister mcp add memory npm:@modelcontextprotocol/server-memory",
      "a server from npm, sandboxed",
    ],
    ["cloister mcp config --client claude", "what to paste into Claude Desktop or Claude Code"],
  ],
  run: async (context) => (await import("./mcp.ts")).run(context),
};

const helpCommand: Command = {
  name: "help",
  summary: "Show help, in general or for a command",
  usage: "[COMMAND]",
  arity: { min: 0, max: 1 },
  options: {},
  examples: [["cloister help call", "help for the command 'call'"]],
  run: showHelp,
};

const versionCommand: Command = {
  name: "version",
  summary: "Show the versions of Cloister and Deno",
  usage: "",
  arity: { min: 0, max: 0 },
  options: {},
  examples: [["cloister version --json", "as JSON"]],
  run: showVersion,
};

/** Every command. */
export const COMMANDS: readonly Command[] = Object.freeze([
  startCommand,
  serveCommand,
  listCommand,
  scanCommand,
  callCommand,
  explainCommand,
  acceptCommand,
  newCommand,
  permissionsCommand,
  doctorCommand,
  mcpCommand,
  helpCommand,
  versionCommand,
]);

async function showHelp({ args, output }: CommandContext): Promise<number> {
  const [name] = args;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (name !== undefined && command === undefined) {
    throw new UsageError(`Unknown command ${JSON.stringify(name)}`);
  }
  const { commandHelp, generalHelp } = await import("./help.ts");
  output.line(command ? commandHelp(command) : generalHelp(COMMANDS));
  return EXIT.ok;
}

function showVersion({ output }: CommandContext): Promise<number> {
  const { deno, v8, typescript } = Deno.version;
  if (output.json) output.value({ cloister: VERSION, deno, v8, typescript });
  else output.line(`cloister ${VERSION}\ndeno ${deno}`);
  return Promise.resolve(EXIT.ok);
}
