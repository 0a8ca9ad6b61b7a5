/**
 * What the rows about MCP share: both sides over one transport, in both revisions of the protocol.
 * @module
 */
import { type Era, type McpConnection, openHttp, openStdio } from "./mcp_client.ts";
import { cloisterServer, inlineServer, sdkServer, type Transport } from "./mcp_servers.ts";
import type { Command } from "./processes.ts";
import type { Part, Target } from "./row.ts";
import { compare } from "./sample.ts";
import { projectPath, tempFolder } from "./temp.ts";

const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];
const TEXT = "a text of the length that arguments often have";

/** Ours and the peer's server. */
export interface Pair extends AsyncDisposable {
  /** Ours. */
  readonly ours: McpConnection;
  /** The SDK's. */
  readonly peer: McpConnection;
}

/**
 * Starts both.
 *
 * @param transport How both are reached.
 * @param era The revision that both speak.
 * @param ours Our command line.
 * @param peer The peer's.
 * @returns The pair.
 */
export async function openPair(
  transport: Transport,
  era: Era,
  ours: Command,
  peer: Command,
): Promise<Pair> {
  const open = transport === "stdio" ? openStdio : openHttp;
  await using stack = new AsyncDisposableStack();
  const pair = { ours: stack.use(await open(ours, era)), peer: stack.use(await open(peer, era)) };
  const kept = stack.move();
  return { ...pair, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * Measures `tools/call` of a sandboxed tool and of an inline one, in both revisions.
 *
 * @param transport How both sides are reached.
 * @returns The parts of the row.
 */
export async function measureCalls(transport: Transport): Promise<readonly Part[]> {
  await using folder = await tempFolder();
  const cloister = await cloisterServer(transport, projectPath("bench/mcp_tools"), folder.path);
  const kinds: readonly (readonly [name: string, command: Command, limit: number])[] = [
    ["a) sandboxed tool", cloister, 2.2],
    ["b) inline tool", inlineServer(transport), 1.1],
  ];
  const parts: Part[] = [];
  for (const [name, command, limit] of kinds) {
    for (const era of ERAS) {
      await using pair = await openPair(transport, era, command, sdkServer(transport));
      const samples = await compare(
        () => pair.ours.echo(TEXT),
        () => pair.peer.echo(TEXT),
        { perTurn: 100, warmUp: 500 },
      );
      const target: Target = { kind: "at most", limit };
      parts.push({ name: `${name}, ${era}`, unit: "ms", ...samples, target });
    }
  }
  return parts;
}
