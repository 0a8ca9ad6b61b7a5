/**
 * Writes the little TOML that a client's configuration needs: one table of texts and lists of texts.
 * @module
 */

/** The values of a table. */
export type TomlTable = Readonly<Record<string, string | readonly string[]>>;

// What TOML forbids in a text of one line, and what a reader's eye would not see.
const ESCAPED = /["\\]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Surrogate}/gu;
const BARE_KEY = /^[A-Za-z0-9_-]+$/;

/**
 * Writes one table.
 *
 * @param path The table's name, part by part.
 * @param values Its values.
 * @returns TOML, ending with a line break.
 */
export function writeTomlTable(path: readonly string[], values: TomlTable): string {
  const lines = Object.entries(values).map(([key, value]) =>
    `${keyText(key)} = ${valueText(value)}`
  );
  return [`[${path.map(keyText).join(".")}]`, ...lines, ""].join("\n");
}

function keyText(key: string): string {
  return BARE_KEY.test(key) ? key : stringText(key);
}

function valueText(value: string | readonly string[]): string {
  if (typeof value === "string") return stringText(value);
  return `[\n${value.map((item) => `  ${stringText(item)},\n`).join("")}]`;
}

function stringText(text: string): string {
  return `"${text.toWellFormed().replace(ESCAPED, escape)}"`;
}

function escape(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  return `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`;
}
