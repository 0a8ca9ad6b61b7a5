/**
 * The structure of the configuration. Loaded only when there is one.
 * @module
 */
import { z } from "zod";
import { mcpServerName, mcpServerSchema } from "./mcp_servers_schema.ts";

const texts = z.array(z.string().min(1));
const grantList = z.union([z.literal(false), texts]);
const name = z.string().regex(/^[A-Za-z0-9_.:/-]{1,128}$/, "expected a name");
const limit = z.number().int().positive();
const toolNames = z.array(name);
// "*" stands for every tool, as "all" does.
const toolsetNames = z.array(z.union([name, z.literal("*")]));

const permissions = z.strictObject({
  read: grantList.optional().describe("Files and folders that may be read"),
  write: grantList.optional().describe("Files and folders that may be written"),
  net: grantList.optional().describe("Hosts that may be reached, host[:port]"),
  env: grantList.optional().describe("Environment variables that may be read"),
  run: grantList.optional().describe("Programs that may be started"),
  sys: grantList.optional().describe("Kinds of system information that may be read"),
  import: z.literal(false).optional().describe("Importing code from the network: never"),
  ffi: grantList.optional().describe("Native libraries that may be loaded"),
});

const ceiling = z.strictObject({
  allow: permissions.optional().describe("Caps each kind that is present"),
  deny: permissions.optional().describe("Takes away, whatever any ceiling allows"),
});

const owner = z.string().regex(
  /^(?:builtin|program|user|plugin:[a-z][a-z0-9-]*(?:\/[a-z0-9-]+)*|mcp:[A-Za-z0-9_.-]+)$/,
  'expected "builtin", "program", "user", "plugin:<id>" or "mcp:<server>"',
);

const ceilings = z.strictObject({
  tools: z.record(name, ceiling).optional().describe("By tool"),
  toolsets: z.record(name, ceiling).optional().describe("By toolset"),
  owners: z.record(owner, ceiling).optional().describe("By owner"),
  allowWrite: z.array(z.enum(["tools"])).optional()
    .describe(
      "Protected places that tools may write after all: tools, the folders with tool files",
    ),
});

const ownToolset = name.regex(/^(?!all$)/, '"all" stands for every tool already');

const toolset = z.strictObject({
  description: z.string().optional(),
  tools: toolNames.optional(),
  includes: toolsetNames.optional(),
});

const plugin = z.strictObject({
  id: z.string().regex(
    /^[a-z][a-z0-9-]*(?:\/[a-z0-9-]+)*$/,
    "expected lower-case letters, digits and -, in parts separated by /",
  ),
  path: z.string().min(1).describe("Its folder, relative to the current folder"),
  enabled: z.boolean().optional().describe("Whether its tools are offered"),
  allowToolOverride: z.boolean().optional()
    .describe("Whether its tools may replace those of others"),
  permissions: ceiling.optional(),
});

const limits = z.strictObject({
  timeoutMs: limit.optional()
    .describe("Deadline of a call in milliseconds; a tool file may say less, and not more"),
  memoryMb: limit.optional()
    .describe("What a call may take in megabytes; a tool file may say less, and not more"),
  maxResultSizeChars: z.union([limit, z.literal("unlimited")]).optional()
    .describe("Longest result in characters before it goes to a file"),
  queue: z.number().int().nonnegative().optional().describe("How many calls may wait"),
  idleMs: limit.optional().describe("After how many idle milliseconds a worker ends"),
  callsPerWorker: limit.optional().describe("After how many calls a worker is replaced"),
  concurrency: limit.optional().describe("How many calls may run at a time"),
  maxCells: limit.optional()
    .describe("How many cell processes there may be; left out: by the machine's size"),
  warmMb: limit.optional().describe(
    "Memory for idle workers over all cells, in megabytes; left out: a quarter of the machine's, 1024 at most",
  ),
  temporaryMb: limit.optional().describe(
    "What tools without a write grant may write to disk while their cell lives, in megabytes; left out: 64",
  ),
  spillMb: limit.optional().describe(
    "What all results that were too long may take on disk, in megabytes; left out: 1024",
  ),
  spillMbPerTool: limit.optional().describe(
    "What one tool's results that were too long may take on disk, in megabytes; left out: 256",
  ),
});

const mode = z.enum(["allow", "ask", "deny"]);

const approval = z.strictObject({
  default: mode.optional().describe("Tools that nothing else speaks of; left out: allow"),
  tools: z.record(name, mode).optional().describe("By tool; goes before everything else"),
  toolsets: z.record(name, mode).optional().describe("By toolset; goes before annotations"),
  annotations: z.strictObject({
    readOnlyHint: mode.optional().describe("Tools that say that they change nothing"),
    destructiveHint: mode.optional().describe("Tools that may destroy, unless they deny it"),
    openWorldHint: mode.optional().describe("Tools that reach out, unless they deny it"),
  }).optional().describe("By what tools say of themselves; the strictest counts"),
  dangerousCommands: mode.optional()
    .describe(
      "Shell commands that nothing holds, and that are not known to be harmless; left out: ask",
    ),
  containCommands: z.boolean().optional()
    .describe(
      "Whether the terminal's commands run in a container, where one holds; left out: true",
    ),
  timeoutMs: limit.max(2_147_483_647).optional()
    .describe("After how many milliseconds no answer means no; left out: 300000"),
});

const results = z.strictObject({
  maxChars: z.record(name, z.union([limit, z.literal("unlimited")])).optional()
    .describe("Longest result in characters, by tool; comes before the tool's own limit"),
  untrusted: z.strictObject({
    tools: z.record(name, z.boolean()).optional().describe("By tool; comes before its owner"),
    owners: z.record(owner, z.boolean()).optional().describe("By owner"),
  }).optional().describe("Whose results are marked as written by others"),
});

const section = z.record(z.string(), z.json());

/** The structure of `cloister.json`. */
export const configSchema: z.ZodType = z.strictObject({
  $schema: z.string().optional(),
  toolsets: z.record(ownToolset, toolset).optional().describe("Toolsets of your own"),
  enabledToolsets: toolsetNames.optional().describe("Toolsets to offer; left out: all"),
  disabledToolsets: toolsetNames.optional().describe("Toolsets that are subtracted last"),
  plugins: z.array(plugin).optional().describe("Plugins; the order counts"),
  permissions: ceilings.optional().describe("What tools may touch at most"),
  isolation: z.strictObject({
    default: z.enum(["worker", "process"]).optional().describe("The least isolation of tools"),
    inProcess: toolNames.optional()
      .describe("Tools that may run in the front's own process where no process can be started"),
  }).optional().describe("Where handlers run"),
  limits: limits.optional().describe("Limits of calls and cells"),
  results: results.optional().describe("Results on their way to the model"),
  mcpServers: z.record(mcpServerName, mcpServerSchema(permissions)).optional()
    .describe("MCP servers, in the shape that MCP clients use"),
  model: section.optional().describe("The model of the agent loop"),
  approval: approval.optional().describe("Which calls run, are asked about, or are refused"),
  tools: z.record(name, section).optional().describe("Each tool's own section"),
  packages: z.record(z.string().min(1), z.string().min(1)).optional()
    .describe("Import map entries that tool files may use"),
});

/**
 * The same structure as JSON Schema, for editors.
 *
 * @returns The schema of `cloister.schema.json`.
 */
export function configJsonSchema(): { readonly [keyword: string]: unknown } {
  const schema = z.toJSONSchema(configSchema, { io: "input", target: "draft-2020-12" });
  return {
    ...schema,
    $id: "https://jsr.io/@cloister/cloister/cloister.schema.json",
    title: "Cloister configuration",
  };
}
