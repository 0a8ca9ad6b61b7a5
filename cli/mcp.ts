/**
 * `cloister mcp`: the server, and the servers that it uses itself.
 * @module
 */
import { suggestNames } from "../runtime/suggest.ts";
import { type CommandContext, UsageError } from "./command.ts";

type Action = (context: CommandContext, args: readonly string[]) => Promise<number>;

/** What each word after `mcp` does; loaded when it is said. */
const ACTIONS: ReadonlyMap<string, () => Promise<Action>> = new Map([
  ["add", async () => (await import("./mcp_add.ts")).runAdd],
  ["list", async () => (await import("./mcp_list.ts")).runList],
  ["remove", async () => (await import("./mcp_remove.ts")).runRemove],
  ["accept", async () => (await import("./mcp_accept.ts")).runAccept],
  ["login", async () => (await import("./mcp_login.ts")).runLogin],
  ["logout", async () => (await import("./mcp_login.ts")).runLogout],
  ["config", async () => (await import("./mcp_config.ts")).runMcpConfig],
]);

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 * @throws {UsageError} If the word after `mcp` is none that it knows.
 */
export async function run(context: CommandContext): Promise<number> {
  const [word, ...args] = context.args;
  if (word === undefined) return await (await import("./mcp_serve.ts")).serveStdio(context);
  const load = ACTIONS.get(word);
  if (load !== undefined) return await (await load())(context, args);
  const near = suggestNames(word, [...ACTIONS.keys()]);
  throw new UsageError(
    `Unknown word ${JSON.stringify(word)} after "mcp"` +
      (near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "") +
      `; expected ${[...ACTIONS.keys()].join(", ")}, or nothing to serve on stdin and stdout`,
  );
}
