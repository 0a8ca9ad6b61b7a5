/** Connections to real servers, and everything that they tell. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import type { ElicitRequest, ElicitResult } from "../../../core/context.ts";
import type { ConnectionServices } from "../../../mcp/client/connection_services.ts";
import type {
  ServerCallOptions,
  ServerConnection,
  ServerState,
} from "../../../mcp/client/connection_types.ts";
import { createMemoryEras } from "../../../mcp/client/memory_eras.ts";
import { openConnection } from "../../../mcp/client/open_connection.ts";
import type { McpServerSpec } from "../../../mcp/config/server_config.ts";
import { SYSTEM_CLOCK } from "../../../registry/availability/clock.ts";

const FIXTURES = new URL("../../fixtures/mcp/", import.meta.url);
const BOUND_MS = 30_000;

/** A program among the fixtures, started by this Deno. */
export function fixture(file: string, ...args: string[]): McpServerSpec["launch"] {
  const path = new URL(file, FIXTURES).pathname;
  return {
    kind: "command",
    command: Deno.execPath(),
    args: ["run", "--no-prompt", "--quiet", "-A", path, ...args],
    env: {},
  };
}

/** A checked server with the defaults. */
export function specOf(
  launch: McpServerSpec["launch"],
  more: Partial<McpServerSpec> = {},
): McpServerSpec {
  return {
    name: "sample",
    origin: "config",
    launch,
    enabled: true,
    lazy: false,
    exclude: [],
    resources: true,
    prompts: true,
    timeoutMs: 30_000,
    connectTimeoutMs: 30_000,
    keepaliveMs: 180_000,
    parallel: false,
    trust: "full",
    ...more,
  };
}

/** A connection with what it told. */
export interface Arena extends AsyncDisposable {
  readonly connection: ServerConnection;
  readonly states: ServerState[];
  readonly log: string[];
  /** How often the tools were said to have changed. */
  readonly changes: () => number;
  /** How many processes of the server were started. */
  readonly started: () => number;
  /** Waits until something holds; whatever the connection tells lets it look again. */
  until(what: string, holds: () => boolean): Promise<void>;
}

/** Opens a connection and listens to it. */
export function openArena(
  spec: McpServerSpec,
  more: Partial<ConnectionServices> = {},
): Arena {
  const states: ServerState[] = [];
  const log: string[] = [];
  const looks = new Set<() => void>();
  let changes = 0;
  const look = () => looks.forEach((each) => each());
  const { launch } = spec;
  const connection = openConnection(spec, {
    ...(launch.kind === "command"
      ? { launch: () => Promise.resolve({ ...launch, env: { ...childEnv(), ...launch.env } }) }
      : {}),
    clock: SYSTEM_CLOCK,
    eras: createMemoryEras(),
    clientInfo: { name: "cloister-test", version: "0.0.0" },
    random: () => 0.5,
    ...more,
    listener: {
      onToolsChanged: () => {
        changes++;
        look();
      },
      onState: ({ state }) => {
        states.push(state);
        look();
      },
      onLog: (level, message) => {
        log.push(`${level}: ${message}`);
        look();
      },
    },
  });
  return {
    connection,
    states,
    log,
    changes: () => changes,
    started: () => log.filter((line) => line.includes("stderr: started")).length,
    async until(what, holds) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = () => holds() && resolve();
      const timer = setTimeout(() => {
        reject(new Error(`Waited in vain for ${what}: ${states.join()} ${log.join("\n")}`));
      }, BOUND_MS);
      looks.add(check);
      check();
      try {
        await promise;
      } finally {
        clearTimeout(timer);
        looks.delete(check);
      }
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** What a call hears. */
export interface Heard {
  readonly progress: (readonly [number, number | undefined, string | undefined])[];
  readonly asked: ElicitRequest[];
}

/** Options of a call, and what it hears. */
export function callOptions(
  more: Partial<Omit<ServerCallOptions, "context">> & {
    readonly answer?: (request: ElicitRequest) => Promise<ElicitResult>;
  } = {},
): ServerCallOptions & { readonly heard: Heard } {
  const heard: Heard = { progress: [], asked: [] };
  const { answer = () => Promise.resolve({ action: "decline" as const }), ...rest } = more;
  const ignore = () => {};
  return {
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    repeatable: false,
    ...rest,
    context: {
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      progress: (value, total, message) => void heard.progress.push([value, total, message]),
      elicit: (request) => {
        heard.asked.push(request);
        return answer(request);
      },
    },
    heard,
  };
}

/** A tool of a list. */
export function toolOf(name: string): Tool {
  return { name, inputSchema: { type: "object" } };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : block.type).join();
}

/** The code and the message of what is thrown. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly [name: string]: unknown }> {
  try {
    await promise;
  } catch (error) {
    const { code, message, retryable, end } = error as never;
    return { code, message, retryable, end };
  }
  throw new Error("Nothing was thrown");
}

function childEnv(): Record<string, string> {
  const names = ["HOME", "PATH", "DENO_DIR"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
