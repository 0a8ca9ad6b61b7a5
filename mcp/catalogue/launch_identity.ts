/**
 * How a server is reached, as a lock file may say it.
 * @module
 */
import { hashText } from "../../registry/hash.ts";
import type { ServerLaunch } from "../config/server_config.ts";

const HASH_CHARS = 16;

/**
 * Says how a server is reached, without what may be secret: headers, environment, arguments and the query of an
 * address. Other arguments make another identity all the same.
 *
 * @param launch How the server is reached.
 * @returns For example `npm:some-server@1.2.3`.
 */
export async function launchIdentity(launch: ServerLaunch): Promise<string> {
  if (launch.kind === "http") return addressOf(launch.url);
  const program = launch.kind === "npm" ? `npm:${launch.package}` : launch.command;
  if (launch.args.length === 0) return program;
  const hash = await hashText(JSON.stringify(launch.args));
  return `${program} (arguments ${hash.slice(0, HASH_CHARS)})`;
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? "http" : `${url.origin}${url.pathname}`;
}
