/**
 * The HTTP face as an OpenAPI 3.1 document.
 * @module
 */
import type { ToolEntry } from "../core/entry.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { STATUS_OF_CODE } from "./http_status.ts";
import { PROBLEM_SCHEMA, TOOL_RESULT_SCHEMA } from "./openapi_schemas.ts";
import { TIMEOUT_HEADER } from "./call_deadline.ts";

/** What the document says about the server. */
export interface OpenApiInfo {
  /** The product's version. */
  readonly version: string;
  /** The longest deadline that may be asked for. */
  readonly maxTimeoutMs: number;
  /** Whether a bearer token is needed. */
  readonly needsToken: boolean;
}

/**
 * Writes the document: one operation a tool, with its own schema.
 *
 * @param entries The table's tools.
 * @param info What to say about the server.
 * @returns The document.
 */
export function openApiDocument(entries: Iterable<ToolEntry>, info: OpenApiInfo): JsonObject {
  const tools = [...entries].toSorted((a, b) => a.name < b.name ? -1 : 1);
  const calls = tools.map((entry): [string, JsonObject] => [
    `/tools/${entry.name}/call`,
    { post: callOperation(entry, info) },
  ]);
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Cloister",
      version: info.version,
      description: "The tools of this server, each run with the permissions that it declares.",
    },
    paths: { ...fixedPaths(), ...Object.fromEntries(calls) },
    components: {
      schemas: { ToolResult: TOOL_RESULT_SCHEMA, Problem: PROBLEM_SCHEMA },
      ...(info.needsToken
        ? { securitySchemes: { token: { type: "http", scheme: "bearer" } } }
        : {}),
    },
    ...(info.needsToken ? { security: [{ token: [] }] } : {}),
  };
}

function callOperation(entry: ToolEntry, info: OpenApiInfo): JsonObject {
  return {
    operationId: entry.name,
    summary: entry.title ?? entry.annotations.title ?? entry.name,
    description: entry.description,
    tags: [entry.toolset],
    parameters: deadlineParameters(info.maxTimeoutMs),
    requestBody: {
      required: true,
      content: { "application/json": { schema: argumentSchema(entry) } },
    },
    responses: callResponses(),
  };
}

/** A schema with references of its own becomes a resource of its own: `#/$defs/x` must not mean this document. */
function argumentSchema(entry: ToolEntry): JsonObject {
  const schema = entry.schema as JsonObject;
  if (schema.$id !== undefined || !JSON.stringify(schema).includes('"$ref"')) return schema;
  return { $id: `urn:cloister:tool:${encodeURIComponent(entry.name)}:arguments`, ...schema };
}

function deadlineParameters(maximum: number): JsonValue {
  const schema = { type: "integer", minimum: 1, maximum };
  const description = "Deadline of the call in milliseconds.";
  return [
    { name: "timeoutMs", in: "query", description, schema },
    { name: TIMEOUT_HEADER, in: "header", description, schema },
  ];
}

function callResponses(): JsonObject {
  const codes = new Map<number, string[]>();
  for (const [code, status] of Object.entries(STATUS_OF_CODE)) {
    codes.set(status, [...codes.get(status) ?? [], code]);
  }
  const failures = [...codes].map(([status, names]): [string, JsonObject] => [
    String(status),
    answer(`The call failed: ${names.join(", ")}`, "ToolResult"),
  ]);
  return {
    "200": answer("The call succeeded", "ToolResult"),
    ...Object.fromEntries(failures),
    default: answer("The request was refused", "Problem"),
  };
}

function answer(description: string, schema: "ToolResult" | "Problem"): JsonObject {
  const type = schema === "Problem" ? "application/problem+json" : "application/json";
  const content = { schema: { $ref: `#/components/schemas/${schema}` } };
  const problem = { schema: { $ref: "#/components/schemas/Problem" } };
  return {
    description,
    content: schema === "Problem" || description === "The call succeeded"
      ? { [type]: content }
      : { [type]: content, "application/problem+json": problem },
  };
}

function fixedPaths(): JsonObject {
  return {
    "/healthz": { get: plainOperation("health", "Whether the process answers") },
    "/readyz": {
      get: plainOperation("ready", "Whether tools can be called, and what isolation holds"),
    },
    "/tools": { get: plainOperation("list", "The tools, with availability and permissions") },
  };
}

function plainOperation(id: string, summary: string): JsonObject {
  return {
    // A tool may be called "list"; an operation id with a colon cannot meet its name.
    operationId: `server:${id}`,
    summary,
    tags: ["server"],
    responses: {
      "200": { description: "The answer", content: { "application/json": { schema: {} } } },
      default: answer("The request was refused", "Problem"),
    },
  };
}
