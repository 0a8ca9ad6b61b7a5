/**
 * One MCP server as the configuration names it, and as the rest of the client sees it.
 * @module
 */
import type { Permissions } from "../../core/permissions.ts";

/** An entry of `mcpServers`: the fields that MCP clients share, and Cloister's own. */
export interface McpServerConfig {
  /** How to talk to it; left out, `url` means `http` and `command` means `stdio`. */
  readonly type?: "stdio" | "http" | "streamable-http" | "sse";
  /** The program, or `npm:<package>@<exact version>`, which runs sandboxed. */
  readonly command?: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Its environment, beside the few variables that every server gets. */
  readonly env?: { readonly [name: string]: string };
  /** The folder it starts in; a sandboxed server starts in a neutral one. */
  readonly cwd?: string;
  /** The address of a remote server. */
  readonly url?: string;
  /** Headers for a remote server. */
  readonly headers?: { readonly [name: string]: string };
  /** How to sign in to a remote server beside `headers`. */
  readonly auth?: "oauth";
  /** What OAuth needs where the server registers no clients by itself. */
  readonly oauth?: {
    readonly clientId?: string;
    readonly clientSecret?: string;
    readonly scopes?: readonly string[];
    /** The loopback port that the browser comes back to. @default {a free one} */
    readonly redirectPort?: number;
  };
  /** Whether it is used. @default {true} */
  readonly enabled?: boolean;
  /** Whether it is only started by the first call; its tools come from the lock file. @default {false} */
  readonly lazy?: boolean;
  /** What a sandboxed server may touch. */
  readonly permissions?: Permissions;
  /** Which of its tools join the table: exact names or globs; `include` goes before `exclude`. */
  readonly tools?: {
    readonly include?: string | readonly string[];
    readonly exclude?: string | readonly string[];
    /** Whether to offer `list_resources` and `read_resource` where the server has resources. @default {true} */
    readonly resources?: boolean;
    /** Whether to offer `list_prompts` and `get_prompt` where the server has prompts. @default {true} */
    readonly prompts?: boolean;
  };
  /** Deadline of a call in milliseconds. @default {300_000} */
  readonly timeoutMs?: number;
  /** Deadline of the first contact in milliseconds. @default {60_000} */
  readonly connectTimeoutMs?: number;
  /** Milliseconds between signs of life; at least 5,000. @default {180_000} */
  readonly keepaliveMs?: number;
  /** After how many idle milliseconds a stdio server is stopped; the next call starts it again. @default {never} */
  readonly idleTimeoutMs?: number;
  /** After how many milliseconds a stdio server is replaced between calls. @default {never} */
  readonly maxLifetimeMs?: number;
  /** Whether several calls may be under way at once. @default {false} */
  readonly supportsParallelToolCalls?: boolean;
  /** `untrusted` asks before every tool that is not marked read-only. @default {"full"} */
  readonly trust?: "full" | "untrusted";
}

/** How a server is reached. */
export type ServerLaunch =
  | {
    /** A package of npm under Deno's permissions. */
    readonly kind: "npm";
    /** The package with its exact version, `name@1.2.3`. */
    readonly package: string;
    readonly args: readonly string[];
    readonly env: { readonly [name: string]: string };
    readonly permissions: Permissions;
  }
  | {
    /** Any other program: nothing holds it. */
    readonly kind: "command";
    readonly command: string;
    readonly args: readonly string[];
    readonly env: { readonly [name: string]: string };
    readonly cwd?: string;
  }
  | {
    /** A server of the network. */
    readonly kind: "http";
    readonly url: string;
    /** Set for servers of the older transport with two endpoints (`type: "sse"`). @default {streamable HTTP} */
    readonly transport?: "sse";
    readonly headers: { readonly [name: string]: string };
    readonly auth?: "oauth";
    readonly oauth?: NonNullable<McpServerConfig["oauth"]>;
  };

/** A server, checked, with every default filled in. */
export interface McpServerSpec {
  /** Its name in the configuration, `^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`. */
  readonly name: string;
  /** Who brought it: the operator, or a plugin (`plugin:<id>`), whose values are not interpolated. */
  readonly origin: "config" | `plugin:${string}`;
  /** How it is reached. */
  readonly launch: ServerLaunch;
  readonly enabled: boolean;
  readonly lazy: boolean;
  /** Whitelist; absent means every tool, `[]` means none. */
  readonly include?: readonly string[];
  /** Blacklist; counts where there is no whitelist. */
  readonly exclude: readonly string[];
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly keepaliveMs: number;
  readonly idleTimeoutMs?: number;
  readonly maxLifetimeMs?: number;
  readonly parallel: boolean;
  readonly trust: "full" | "untrusted";
}
