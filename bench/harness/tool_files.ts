/**
 * Writes tool files of about 200 lines: the same tools once in TypeScript for us and once in Python for
 * the reference rule.
 * @module
 */

const HELPERS = 11;

function helperInTypeScript(tool: number, index: number): string {
  return `
/** Step ${index} of tool ${tool}: folds lines that are longer than ${60 + index} characters. */
function step${index}(lines: readonly string[], limit: number): string[] {
  const kept: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.length > ${60 + index} && at % ${index + 2} === 0) {
      kept.push(line.slice(0, ${60 + index}) + "…");
    } else if (line.trim() === "") {
      continue;
    } else {
      kept.push(\`\${at + ${tool}}: \${line}\`);
    }
    if (kept.length >= limit) break;
  }
  return kept;
}
`;
}

function helperInPython(tool: number, index: number): string {
  return `

def step${index}(lines: list[str], limit: int) -> list[str]:
    """Step ${index} of tool ${tool}: folds lines that are longer than ${60 + index} characters."""
    kept: list[str] = []
    for at, line in enumerate(lines):
        if len(line) > ${60 + index} and at % ${index + 2} == 0:
            kept.append(line[:${60 + index}] + "…")
        elif line.strip() == "":
            continue
        else:
            kept.append(f"{at + ${tool}}: {line}")
        if len(kept) >= limit:
            break
    return kept
`;
}

function join(write: (tool: number, index: number) => string, tool: number): string {
  return Array.from({ length: HELPERS }, (_, index) => write(tool, index)).join("");
}

function calls(separator: string, end: string): string {
  return Array.from({ length: HELPERS }, (_, i) => `lines = step${i}(lines, limit)${end}`)
    .join(separator);
}

const SCHEMA = `{
    type: "object",
    properties: {
      path: { type: "string", description: "The file, relative to the workspace." },
      limit: { type: "integer", minimum: 1, maximum: 2000, default: 500 },
      mode: { type: "string", enum: ["lines", "words", "bytes"] },
    },
    required: ["path"],
  }`;

const PYTHON_SCHEMA = `{
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file, relative to the workspace."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 2000, "default": 500},
            "mode": {"type": "string", "enum": ["lines", "words", "bytes"]},
        },
        "required": ["path"],
    }`;

/**
 * The text of a tool file in TypeScript.
 *
 * @param tool Its number.
 * @returns The text, about 200 lines.
 */
export function toolInTypeScript(tool: number): string {
  return `import { basename } from "node:path";
import { registry, toolError, toolResult } from "@cloister/cloister/tool";
${join(helperInTypeScript, tool)}
/** Reads a file and folds it. */
async function fold(path: string, limit: number): Promise<string> {
  let lines = (await Deno.readTextFile(path)).split("\\n");
  ${calls("\n  ", ";")}
  if (lines.length === 0) return toolError("Nothing is left", { path });
  return toolResult({ name: basename(path), lines });
}

registry.register({
  name: "fold_${tool}",
  toolset: "folding",
  description: "Folds the long lines of a file in the way of tool ${tool}.",
  schema: ${SCHEMA},
  permissions: { read: ["$WORKSPACE"] },
  annotations: { readOnlyHint: true },
  handler: ({ path, limit }, context) => fold(context.resolve(path), limit ?? 500),
});
`;
}

/**
 * The text of the same tool in Python.
 *
 * @param tool Its number.
 * @returns The text, about 200 lines.
 */
export function toolInPython(tool: number): string {
  return `import json
from os.path import basename

from tools.registry import registry
${join(helperInPython, tool)}

def fold(path: str, limit: int) -> str:
    """Reads a file and folds it."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\\n")
    ${calls("\n    ", "")}
    if len(lines) == 0:
        return json.dumps({"error": "Nothing is left", "path": path})
    return json.dumps({"name": basename(path), "lines": lines})


registry.register(
    name="fold_${tool}",
    toolset="folding",
    description="Folds the long lines of a file in the way of tool ${tool}.",
    schema=${PYTHON_SCHEMA},
    handler=lambda args, **_: fold(args["path"], args.get("limit", 500)),
)
`;
}

/**
 * Writes tool files into a folder.
 *
 * @param folder The folder; is made.
 * @param count How many.
 * @param language In which language.
 */
export async function writeToolFiles(
  folder: string,
  count: number,
  language: "typescript" | "python",
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (let tool = 0; tool < count; tool++) {
    const name = `${folder}/fold_${String(tool).padStart(4, "0")}`;
    if (language === "typescript") await Deno.writeTextFile(`${name}.ts`, toolInTypeScript(tool));
    else await Deno.writeTextFile(`${name}.py`, toolInPython(tool));
  }
}
