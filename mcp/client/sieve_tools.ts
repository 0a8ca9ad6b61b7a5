/**
 * Leaving bad tools out of a page of a server's list. Loads the SDK.
 * @module
 */
import { specTypeSchemas } from "@modelcontextprotocol/client";

type Members = { readonly [member: string]: unknown };

/**
 * Looks at every tool of a page by itself, so that a bad one does not take the others with it.
 *
 * @param page The page as the server sent it.
 * @param onLeftOut Hears the name of a tool that is left out, and why.
 * @returns The page with the good tools.
 */
export function sieveTools(
  page: Members,
  onLeftOut: (name: string, why: string) => void,
): Members {
  if (!Array.isArray(page.tools)) return page;
  const tools: unknown[] = [];
  for (const [index, tool] of page.tools.entries()) {
    const repaired = repair(tool);
    const why = faultOf(repaired);
    if (why === undefined) tools.push(repaired);
    else onLeftOut(nameOf(tool) ?? `number ${index + 1} of its page`, why);
  }
  return { ...page, tools };
}

function faultOf(tool: unknown): string | undefined {
  if (nameOf(tool) === "") return "it has no name";
  const checked = specTypeSchemas.Tool["~standard"].validate(tool);
  // The schema is one of those that answer at once.
  if (checked instanceof Promise || checked.issues === undefined) return undefined;
  const [issue] = checked.issues;
  return `${issue?.path?.map(String).join(".") || "the whole"}: ${issue?.message ?? "it is wrong"}`;
}

// Only an object can be meant, and many servers forget to say so.
function repair(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool.inputSchema)) return tool;
  if (tool.inputSchema.type !== undefined) return tool;
  return { ...tool, inputSchema: { ...tool.inputSchema, type: "object" } };
}

function nameOf(tool: unknown): string | undefined {
  return isObject(tool) && typeof tool.name === "string" ? tool.name : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
