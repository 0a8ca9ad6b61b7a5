/**
 * Writes `cloister.schema.json`, the configuration's JSON Schema for editors; `--check` only compares.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configJsonSchema } from "../runtime/config/config_schema.ts";

const FILE = fileURLToPath(new URL("../cloister.schema.json", import.meta.url));

/**
 * The text of the schema file.
 *
 * @returns JSON with a line feed at its end.
 */
export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

function current(): string {
  try {
    return readFileSync(FILE, "utf8").replaceAll("\r\n", "\n");
  } catch {
    return "";
  }
}

if (import.meta.main) {
  const text = configSchemaText();
  if (!Deno.args.includes("--check")) {
    writeFileSync(FILE, text);
    console.log(`Wrote ${FILE}`);
  } else if (current() !== text) {
    console.error(`"${FILE}" is out of date: run scripts/generate_config_schema.ts`);
    Deno.exit(1);
  }
}
