/** What the client under test asks of a server: every tool once, and everything beside tools. */
import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { McpDefinition } from "../../runtime/runtime_types.ts";

/** Results by the name in the table. */
export type Results = ReadonlyMap<string, ToolResult>;

/**
 * Arguments for a tool: what lists of before named, the schema of the tool beside it where a schema is wanted, and
 * else a value of the right type for each that is required.
 */
export function argumentsFor(
  { name, inputSchema }: McpDefinition,
  tools: readonly McpDefinition[],
  results: Results,
): JsonObject {
  const beside = (other: string) => results.get(name.replace(/[a-z]+_[a-z]+$/, other));
  switch (name.split("__").at(-1)) {
    case "read_resource":
      return { uri: firstOf(beside("list_resources"), "resources", "uri") };
    case "get_prompt":
      return { name: firstOf(beside("list_prompts"), "prompts", "name") };
    case "json_schema_echo":
      return { schema: tools.find((tool) => tool.name !== name)!.inputSchema as JsonObject };
    default:
      return example(inputSchema as JsonObject);
  }
}

function firstOf(result: ToolResult | undefined, list: string, member: string): JsonValue {
  const listed = result?.structured as { readonly [list: string]: readonly JsonObject[] };
  return listed[list]![0]![member]!;
}

function example({ properties, required }: JsonObject): JsonObject {
  const known = (properties ?? {}) as { readonly [name: string]: JsonObject };
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, valueOf(known[name]?.type)]));
}

function valueOf(type: JsonValue | undefined): JsonValue {
  switch (type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "one";
  }
}
