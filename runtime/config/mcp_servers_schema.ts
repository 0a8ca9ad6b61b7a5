/**
 * The structure of `mcpServers`: the shape that MCP clients share, Cloister's own keys, and keys that other clients
 * write into the same file. Loaded only when there is a configuration.
 * @module
 */
import { z } from "zod";

const BOOLEAN_TEXT = /^(?:true|false|yes|no|on|off|1|0)$/i;

const flag = z.union([
  z.boolean(),
  z.string().regex(BOOLEAN_TEXT, "expected true or false"),
]);
const milliseconds = z.number().int().positive().max(2_147_483_647);
const text = z.string().min(1);
const names = z.union([z.string(), z.array(z.string())]);
const variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable"),
  z.union([z.string(), z.number(), z.boolean()]),
);
const port = z.number().int().min(1).max(65_535);
const ignored = z.json().optional();

/** Keys of Cloister and of everybody. */
const own = {
  type: z.enum([
    "stdio",
    "local",
    "http",
    "streamable-http",
    "streamable_http",
    "streamableHttp",
    "sse",
  ])
    .optional().describe("How to talk to it; left out, url means http and command means stdio"),
  command: text.optional()
    .describe("The program, or npm:<package>@<exact version>, which runs sandboxed"),
  args: z.union([z.string(), z.array(z.string())]).optional().describe("Its arguments"),
  env: variables.optional().describe("Its environment, beside the few variables every server gets"),
  cwd: text.optional().describe(
    "The folder it starts in; a sandboxed server starts in a neutral one",
  ),
  url: text.optional().describe("The address of a remote server"),
  headers: z.record(text, z.string()).optional().describe("Headers for a remote server"),
  auth: z.literal("oauth").optional().describe("How to sign in to a remote server beside headers"),
  oauth: z.strictObject({
    clientId: text.optional(),
    clientSecret: text.optional(),
    scopes: z.array(text).optional(),
    redirectPort: port.optional().describe("The loopback port that the browser comes back to"),
  }).optional().describe("What OAuth needs where the server registers no clients by itself"),
  enabled: flag.optional().describe("Whether it is used; left out: true"),
  lazy: flag.optional().describe("Whether it is only started by the first call; left out: false"),
  timeoutMs: milliseconds.optional().describe("Deadline of a call; left out: 300000"),
  connectTimeoutMs: milliseconds.optional()
    .describe("Deadline of the first contact; left out: 60000"),
  keepaliveMs: milliseconds.optional()
    .describe("Milliseconds between signs of life, at least 5000; left out: 180000"),
  idleTimeoutMs: milliseconds.optional()
    .describe("After how many idle milliseconds a stdio server is stopped; left out: never"),
  maxLifetimeMs: milliseconds.optional()
    .describe("After how many milliseconds a stdio server is replaced between calls"),
  supportsParallelToolCalls: flag.optional()
    .describe("Whether several calls may be under way at once; left out: false"),
  trust: z.union([z.enum(["full", "untrusted"]), z.boolean()]).optional()
    .describe("untrusted asks before every tool that is not marked read-only; left out: full"),
};

const tools = z.union([
  z.strictObject({
    include: names.optional().describe("Exact names or globs; nothing else joins the table"),
    exclude: names.optional().describe("Exact names or globs that do not join the table"),
    resources: flag.optional().describe("Whether to offer list_resources and read_resource"),
    prompts: flag.optional().describe("Whether to offer list_prompts and get_prompt"),
  }),
  z.array(z.string()),
]).optional().describe("Which of its tools join the table");

/** Keys that other clients write and that mean something here. */
const foreign = {
  disabled: flag.optional().describe("Of other clients: the opposite of enabled"),
  timeout: z.number().positive().optional()
    .describe(
      "Of other clients: up to 3600 it is seconds, above it is milliseconds; see timeoutMs",
    ),
  transport: z.string().optional().describe("Of other clients: the same as type"),
  serverUrl: text.optional().describe("Of other clients: the same as url"),
  httpUrl: text.optional().describe("Of other clients: the same as url"),
  includeTools: z.array(z.string()).optional().describe("Of other clients: tools.include"),
  excludeTools: z.array(z.string()).optional().describe("Of other clients: tools.exclude"),
  disabledTools: z.array(z.string()).optional().describe("Of other clients: tools.exclude"),
};

/** Keys that other clients write and that mean nothing here; they are told of when the servers are read. */
const unused = Object.fromEntries(
  ("alwaysAllow autoApprove description dev envFile gallery headersHelper icon iconPath id name " +
    "sandboxEnabled source version watchPaths").split(" ")
    .map((key) => [key, ignored.describe("Of other clients: not used")]),
);

/**
 * The structure of one server.
 *
 * @param permissions The structure of `permissions`.
 * @returns The structure; keys that it does not know are errors.
 */
export function mcpServerSchema(permissions: z.ZodType): z.ZodType {
  return z.strictObject({
    ...own,
    permissions: permissions.optional().describe("What a sandboxed server may touch"),
    tools,
    ...foreign,
    ...unused,
  });
}

/** The structure of a server's name. */
export const mcpServerName: z.ZodString = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  'expected a letter or digit, then up to 63 letters, digits, "_", "." or "-"',
);
