/**
 * Folders of many small tool files, each of which gives its own number and the nonce that it got.
 * @module
 */

/** What the files of a folder have beside a name, a schema and a handler. */
export type TableVariant = "plain" | "check" | "overrides" | "zod" | "helpers";

/** Every variant. */
export const TABLE_VARIANTS: readonly TableVariant[] = Object.freeze([
  "plain",
  "check",
  "overrides",
  "zod",
  "helpers",
]);

const HELPERS = 10;
const JSON_SCHEMA =
  `{ type: "object", properties: { nonce: { type: "string" } }, required: ["nonce"] }`;

/**
 * What the definition of a tool must say.
 *
 * @param variant The variant.
 * @param index The tool's number.
 * @returns The description.
 */
export function descriptionOf(variant: TableVariant, index: number): string {
  return variant === "overrides" ? `Told anew by number ${index}.` : `Gives number ${index}.`;
}

/**
 * What a call of a tool must give.
 *
 * @param index The tool's number.
 * @param nonce What the call passed.
 * @returns The result's text.
 */
export function answerOf(index: number, nonce: string): string {
  return JSON.stringify({ number: index, nonce });
}

/**
 * Writes the tools `tool_0`, `tool_1` and so on.
 *
 * @param folder The folder; is made.
 * @param variant What the files have.
 * @param count How many tools.
 */
export async function writeTable(
  folder: string,
  variant: TableVariant,
  count: number,
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index++) {
    await Deno.writeTextFile(`${folder}/tool_${index}.ts`, toolText(variant, index));
    if (variant === "helpers") await writeHelpers(`${folder}/_parts_${index}`, index);
  }
}

// The mean of a tool's helpers is its number, so that a foreign helper would show.
async function writeHelpers(folder: string, index: number): Promise<void> {
  await Deno.mkdir(folder);
  for (let part = 0; part < HELPERS; part++) {
    await Deno.writeTextFile(`${folder}/part_${part}.ts`, `export const part = ${index};\n`);
  }
}

function toolText(variant: TableVariant, index: number): string {
  const parts = Array.from({ length: HELPERS }, (_, part) => part);
  const helpers = variant === "helpers"
    ? parts.map((part) => `import { part as p${part} } from "./_parts_${index}/part_${part}.ts";\n`)
    : [];
  const number = variant === "helpers"
    ? `(${parts.map((part) => `p${part}`).join(" + ")}) / ${HELPERS}`
    : String(index);
  const more: Partial<Record<TableVariant, string>> = {
    check: "checkFn: () => ({ available: true }),",
    overrides: `dynamicSchemaOverrides: () => ({ description: "${
      descriptionOf(variant, index)
    }" }),`,
  };
  return `import { registry } from "@cloister/cloister/tool";
${variant === "zod" ? `import { z } from "zod";\n` : ""}${helpers.join("")}
registry.register({
  name: "tool_${index}",
  toolset: "bench",
  description: "${descriptionOf("plain", index)}",
  schema: ${variant === "zod" ? "z.object({ nonce: z.string() })" : JSON_SCHEMA},
  ${more[variant] ?? ""}
  handler: ({ nonce }) => ({ number: ${number}, nonce }),
});
`;
}
