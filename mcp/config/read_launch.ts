/**
 * How a server is reached, from its entry.
 * @module
 */
import type { JsonValue } from "../../core/json.ts";
import { PERMISSION_KEYS, type Permissions } from "../../core/permissions.ts";
import type { EntryReader } from "./entry_reader.ts";
import { readType } from "./foreign_keys.ts";
import { PACKAGE_PREFIX, parsePackage } from "./package_spec.ts";
import type { ServerLaunch } from "./server_config.ts";
import type { FaultList } from "./server_fault.ts";

type Texts = Readonly<Record<string, string>>;

/** Programs that fetch a package and run it. */
const RUNNERS = /^(?:npx|bunx|pnpx|uvx|pnpm|yarn)(?:\.cmd|\.exe)?$/;

/**
 * Reads how a server is reached. `url` goes before `command`.
 *
 * @param reader The entry, its variables put in.
 * @param faults Takes what is wrong with it.
 * @returns The launch, or `undefined` when there is none.
 */
export function readLaunch(reader: EntryReader, faults: FaultList): ServerLaunch | undefined {
  const type = readType(reader, faults);
  const url = reader.text("url", "serverUrl", "httpUrl");
  const command = reader.text("command");
  if (url !== undefined) {
    if (command !== undefined || type === "stdio") {
      const other = command === undefined ? '"type" says "stdio"' : 'there is "command" as well';
      faults.add("warning", "server_url_wins", `"url" is used although ${other}`);
    }
    return readHttp(reader, url, type, faults);
  }
  if (command === undefined || type === "http" || type === "sse") {
    const expected = type === "http" || type === "sse" ? '"url"' : '"command" or "url"';
    faults.add(
      "error",
      "server_incomplete",
      `the entry does not say how to reach it`,
      `Add ${expected}`,
    );
    return undefined;
  }
  return command.startsWith(PACKAGE_PREFIX)
    ? readPackage(reader, command, faults)
    : readCommand(reader, command, faults);
}

function readCommand(reader: EntryReader, command: string, faults: FaultList): ServerLaunch {
  if (reader.has("permissions")) {
    faults.add(
      "warning",
      "server_unsandboxed",
      `"permissions" hold nothing for the command ${JSON.stringify(command)}`,
      `Only "npm:<package>@<version>" runs under permissions`,
    );
  }
  if (RUNNERS.test(command)) {
    faults.add(
      "info",
      "server_unsandboxed",
      `"${command}" runs the server with everything that you may do`,
      "A package of npm runs under permissions when 'cloister mcp add' adds it as npm:<package>",
    );
  }
  const cwd = reader.text("cwd");
  return Object.freeze({
    kind: "command",
    command,
    args: Object.freeze([...reader.args("args")]),
    env: Object.freeze(reader.record("env")),
    ...(cwd === undefined ? {} : { cwd }),
  });
}

function readPackage(
  reader: EntryReader,
  command: string,
  faults: FaultList,
): ServerLaunch | undefined {
  const spec = parsePackage(command);
  if (spec === undefined) {
    const message = `${JSON.stringify(command)} names no package of npm`;
    faults.add("error", "server_package", message, 'Expected "npm:<package>@<exact version>"');
    return undefined;
  }
  if (!spec.isExact) {
    faults.add(
      "error",
      "server_version",
      `${JSON.stringify(command)} has no exact version, so that tomorrow's code would run unseen`,
      `Expected "npm:${spec.name}@1.2.3"; 'cloister mcp add NAME ${command}' finds the version and ` +
        "the grants",
    );
    return undefined;
  }
  if (reader.has("cwd")) {
    faults.add("warning", "server_cwd", '"cwd" is not used: a package starts in an empty folder');
  }
  return Object.freeze({
    kind: "npm",
    package: `${spec.name}@${spec.version}`,
    args: Object.freeze([...reader.args("args")]),
    env: Object.freeze(reader.record("env")),
    permissions: readPermissions(reader.value("permissions"), faults),
  });
}

// The file's structure was checked; what a plugin brings was not.
function readPermissions(value: JsonValue | undefined, faults: FaultList): Permissions {
  if (value === undefined) return Object.freeze({});
  const wrong = (what: string) => {
    faults.add("error", "server_permissions", `"permissions" ${what}`);
    return Object.freeze({});
  };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return wrong("is not an object");
  }
  for (const [key, list] of Object.entries(value)) {
    if (!(PERMISSION_KEYS as readonly string[]).includes(key)) {
      return wrong(
        `has the unknown key ${JSON.stringify(key)}: expected ${PERMISSION_KEYS.join(", ")}`,
      );
    }
    const isList = Array.isArray(list) &&
      list.every((item) => typeof item === "string" && item !== "");
    if (list !== false && (!isList || key === "import")) {
      return wrong(`"${key}" is not ${key === "import" ? "false" : "a list of texts, or false"}`);
    }
    const foreign = isList
      ? list.find((item) => /^\$(?:TOOL_DIR|ARG)\b/.test(String(item)))
      : undefined;
    if (foreign !== undefined) {
      return wrong(
        `"${key}": "${foreign}" means nothing to a server; expected $WORKSPACE, $DATA or $TMP`,
      );
    }
  }
  return Object.freeze({ ...value }) as Permissions;
}

function readHttp(
  reader: EntryReader,
  text: string,
  type: "stdio" | "http" | "sse" | undefined,
  faults: FaultList,
): ServerLaunch | undefined {
  const url = URL.parse(text);
  if (
    url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== ""
  ) {
    const message = `"url" is not an http: or https: address without user information`;
    faults.add("error", "server_url", message);
    return undefined;
  }
  const headers = reader.record("headers");
  if (!areHeaders(headers, faults)) return undefined;
  const auth = reader.text("auth");
  if (auth !== undefined && auth !== "oauth") {
    faults.add("error", "server_value", `"auth" is ${JSON.stringify(auth)}: expected "oauth"`);
  }
  const oauth = readOauth(reader);
  return Object.freeze({
    kind: "http",
    url: url.href,
    ...(type === "sse" ? { transport: "sse" as const } : {}),
    headers: Object.freeze(headers),
    ...(auth === "oauth" || oauth !== undefined ? { auth: "oauth" as const } : {}),
    ...(oauth === undefined ? {} : { oauth }),
  });
}

function areHeaders(headers: Texts, faults: FaultList): boolean {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      // The value may be a secret.
      faults.add("error", "server_header", `the header ${JSON.stringify(name)} cannot be sent`);
      return false;
    }
  }
  return true;
}

function readOauth(reader: EntryReader):
  | NonNullable<
    Extract<ServerLaunch, { readonly kind: "http" }>["oauth"]
  >
  | undefined {
  if (!reader.has("oauth")) return undefined;
  const oauth = reader.object("oauth");
  const [clientId, clientSecret] = [oauth.text("clientId"), oauth.text("clientSecret")];
  const scopes = oauth.texts("scopes");
  const port = oauth.has("redirectPort")
    ? oauth.milliseconds("redirectPort", undefined)
    : undefined;
  return Object.freeze({
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(scopes === undefined ? {} : { scopes: Object.freeze([...scopes]) }),
    ...(port === undefined ? {} : { redirectPort: port }),
  });
}
