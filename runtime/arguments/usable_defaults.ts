/**
 * Whether the defaults of a schema fit it.
 * @module
 */
import type { JsonSchema } from "../../core/json.ts";
import { compileSchema } from "./compile_schema.ts";
import type { DefaultTest } from "./fill_defaults.ts";

/**
 * Looks at every default of a schema once.
 *
 * @param schema The schema of the parameters.
 * @returns Says of a part of the schema whether its default fits it.
 */
export async function defaultTest(schema: JsonSchema): Promise<DefaultTest> {
  const fitting = new Set<JsonSchema>();
  for (const part of partsWithDefault(schema)) {
    const check = await compileSchema({
      ...(schema.$schema === undefined ? {} : { $schema: schema.$schema }),
      ...(schema.$defs === undefined ? {} : { $defs: schema.$defs }),
      ...(schema.definitions === undefined ? {} : { definitions: schema.definitions }),
      type: "object",
      properties: { value: part },
    });
    if (check({ value: part.default as never }).ok) fitting.add(part);
  }
  return (part) => fitting.has(part);
}

const MAX_NODES = 10_000;

function partsWithDefault(schema: JsonSchema): JsonSchema[] {
  const parts: JsonSchema[] = [];
  const waiting: unknown[] = [schema];
  for (let looked = 0; waiting.length > 0 && looked < MAX_NODES; looked++) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    const part = node as JsonSchema;
    if (!Array.isArray(node) && part.default !== undefined) parts.push(part);
    for (const item of Object.values(node)) waiting.push(item);
  }
  return parts;
}
