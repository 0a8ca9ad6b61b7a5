/**
 * The configuration with which an MCP client finds Cloister, in the shape of that client.
 * @module
 */
import { type ClientFile, clientFiles, type ClientName } from "./client_names.ts";
import type { LaunchCommand } from "./launch_command.ts";
import { writeTomlTable } from "./toml.ts";

/** How a client reaches Cloister. */
export type ServerAddress =
  | {
    /** The client starts it. */
    readonly kind: "stdio";
    /** With this command. */
    readonly launch: LaunchCommand;
  }
  | {
    /** It runs already. */
    readonly kind: "http";
    /** Its address, with path. */
    readonly url: string;
    /** The environment variable with the token; absent when the server asks for none. */
    readonly tokenVariable?: string;
  };

/** A value of a configuration file. */
export type ConfigValue = { readonly [key: string]: unknown };

/** What to paste, and where. */
export interface ClientConfig {
  /** The client. */
  readonly client: ClientName;
  /** How it reaches Cloister. */
  readonly transport: "stdio" | "http";
  /** In which format the file is. */
  readonly format: "json" | "toml";
  /** What the text means. */
  readonly config: ConfigValue;
  /** What to paste. */
  readonly text: string;
  /** The files it may go into. */
  readonly files: readonly ClientFile[];
  /** What else there is to know, a sentence each. */
  readonly notes: readonly string[];
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Makes the configuration of a client. A token never stands in it: it names the place where the client gets it.
 *
 * @param client The client.
 * @param name What the client calls the server.
 * @param address How the client reaches it.
 * @returns What to paste, and where.
 * @throws {RangeError} If some client would refuse the name.
 */
export function clientConfig(
  client: ClientName,
  name: string,
  address: ServerAddress,
): ClientConfig {
  if (!NAME.test(name)) {
    throw new RangeError(
      `Cannot name the server ${
        JSON.stringify(name)
      }: expected a letter, and then up to 63 letters, ` +
        "digits, hyphens and underscores",
    );
  }
  const config = WRITERS[client](name, address);
  return {
    client,
    transport: address.kind,
    format: client === "codex" ? "toml" : "json",
    config,
    text: client === "codex"
      ? codexText(name, address)
      : `${JSON.stringify(config, undefined, 2)}\n`,
    files: clientFiles(client, address.kind),
    notes: notesFor(client, address),
  };
}

const WRITERS: Readonly<
  Record<ClientName, (name: string, address: ServerAddress) => ConfigValue>
> = {
  claude: (name, address) => ({
    mcpServers: {
      [name]: address.kind === "stdio" ? address.launch : {
        type: "http",
        url: address.url,
        ...bearer(address, (variable) => `\${${variable}}`),
      },
    },
  }),
  vscode: (name, address) => {
    if (address.kind === "stdio") {
      return { servers: { [name]: { type: "stdio", ...address.launch } } };
    }
    const id = `${name}-token`;
    const server = { type: "http", url: address.url, ...bearer(address, () => `\${input:${id}}`) };
    const input = { type: "promptString", id, description: `Token of ${name}`, password: true };
    return {
      ...(address.tokenVariable === undefined ? {} : { inputs: [input] }),
      servers: { [name]: server },
    };
  },
  cursor: (name, address) => ({
    mcpServers: {
      [name]: address.kind === "stdio" ? address.launch : {
        url: address.url,
        ...bearer(address, (variable) => `\${env:${variable}}`),
      },
    },
  }),
  codex: (name, address) => ({ mcp_servers: { [name]: codexTable(address) } }),
  gemini: (name, address) => ({
    mcpServers: {
      [name]: address.kind === "stdio" ? address.launch : {
        httpUrl: address.url,
        ...bearer(address, (variable) => `$${variable}`),
      },
    },
  }),
};

function bearer(
  { tokenVariable }: ServerAddress & { readonly kind: "http" },
  place: (variable: string) => string,
): ConfigValue {
  if (tokenVariable === undefined) return {};
  return { headers: { Authorization: `Bearer ${place(tokenVariable)}` } };
}

function codexTable(address: ServerAddress): Record<string, string | readonly string[]> {
  if (address.kind === "stdio") return { ...address.launch };
  const { url, tokenVariable } = address;
  return { url, ...(tokenVariable === undefined ? {} : { bearer_token_env_var: tokenVariable }) };
}

function codexText(name: string, address: ServerAddress): string {
  return writeTomlTable(["mcp_servers", name], codexTable(address));
}

function notesFor(client: ClientName, address: ServerAddress): readonly string[] {
  if (address.kind === "stdio") return client === "claude" ? [RESTART_DESKTOP] : [];
  const desktop = client === "claude" ? [NO_HTTP_IN_DESKTOP] : [];
  if (address.tokenVariable === undefined) return desktop;
  return [...desktop, tokenNote(client, address.tokenVariable)];
}

const RESTART_DESKTOP = "Claude Desktop reads the file when it starts: quit it and start it again";
const NO_HTTP_IN_DESKTOP =
  "Claude Desktop takes no address in its file: leave out --http for a command that it starts";

function tokenNote(client: ClientName, variable: string): string {
  if (client === "vscode") {
    return "VS Code asks for the token at the first start and keeps it in its secret storage";
  }
  return `The token is read from ${variable} in the environment that the client is started with`;
}
