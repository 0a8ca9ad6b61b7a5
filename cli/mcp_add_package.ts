/**
 * Adding a package of npm: downloads it, finds its smallest grants, asks about the rest.
 * @module
 */
import type { JsonObject } from "../core/json.ts";
import type { Permissions } from "../core/permissions.ts";
import { interpolate } from "../mcp/config/interpolate.ts";
import { discoverGrants, type Discovery, type FoundGrant } from "../mcp/sandbox/discover_grants.ts";
import { withGrants } from "../mcp/sandbox/judge_want.ts";
import type { NpmLaunch } from "../mcp/sandbox/plan_server.ts";
import { preparePackage } from "../mcp/sandbox/prepare_package.ts";
import { serverPlaces } from "../mcp/sandbox/server_places.ts";
import { proposalKey } from "../mcp/sandbox/watch_denials.ts";
import { findCellAbility } from "../runtime/cells.ts";
import type { CommandContext } from "./command.ts";
import type { AddPlan, Asker } from "./mcp_add.ts";
import { type AddTarget, workspacePath } from "./mcp_add_target.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";
import { renderTable } from "./tables.ts";

/** How often what was allowed leads to another look. */
const MAX_LOOKS = 5;

type Look = (launch: NpmLaunch) => Promise<Discovery>;

/**
 * Prepares the package and finds what it needs.
 *
 * @param context What was typed, and where to print.
 * @param target What is added.
 * @param asker Asks the person.
 * @param signal Gives up.
 * @returns The entry.
 * @throws {Error} If no process may be started, the package cannot be got, or what is granted cannot be.
 */
export async function addPackage(
  context: CommandContext,
  target: AddTarget,
  asker: Asker,
  signal: AbortSignal,
): Promise<AddPlan> {
  const { output, environment } = context;
  const { deno } = findCellAbility();
  if (deno === undefined) {
    throw new Error(`Cannot add MCP server "${target.name}": Deno may not be started here`);
  }
  const places = serverPlaces({
    server: target.name,
    cacheDir: environment.cacheDir ?? await Deno.makeTempDir({ prefix: "cloister-mcp-" }),
    workspace: workspacePath(context),
    environment: environment.read,
  });
  output.info(
    `Downloading ${target.target} and what it needs from the npm registry; nothing is run.`,
  );
  const name = await withProgress(
    output,
    "Downloading",
    preparePackage(target.target, { deno, places, signal }),
  );
  const look: Look = (launch) =>
    withProgress(
      output,
      `Looking what ${name} touches`,
      discoverGrants({
        server: target.name,
        launch,
        deno,
        places,
        environment: environment.read,
        signal,
      }),
    );
  const { args, env, permissions } = target;
  const launch: NpmLaunch = { kind: "npm", package: name, args, env, permissions };
  return await findEntry(context, launch, look, asker);
}

async function findEntry(
  context: CommandContext,
  launch: NpmLaunch,
  look: Look,
  asker: Asker,
): Promise<AddPlan> {
  const { output } = context;
  // Programs that it starts are held by nothing: what they touch stands in no audit file.
  if (launch.permissions.run) {
    output.warn(
      "It may start programs, which nothing holds: its grants are taken as they were given",
    );
    return planOf(launch, launch.permissions, launch.env, undefined, []);
  }
  const { found, env, left } = await lookAndAsk(context, launch, look, asker);
  printFound(output, launch, found);
  printLeft(output, left);
  return planOf(launch, found.granted, env, found, left);
}

interface Answered {
  readonly found: Discovery;
  readonly env: Readonly<Record<string, string>>;
  readonly left: readonly FoundGrant[];
}

// What was allowed may let it come to the next thing.
async function lookAndAsk(
  { environment }: CommandContext,
  launch: NpmLaunch,
  look: Look,
  asker: Asker,
): Promise<Answered> {
  let { permissions, env } = launch;
  const declined = new Map<string, FoundGrant>();
  for (let round = 1;; round++) {
    const values = Object.entries(env).map(([name, text]) =>
      [name, interpolate(text, environment.read).text] as const
    );
    const found = await look({ ...launch, permissions, env: Object.fromEntries(values) });
    const news = found.questions.filter((question) => !declined.has(proposalKey(question)));
    const accepted: FoundGrant[] = [];
    for (const question of news) {
      const yes = round <= MAX_LOOKS && asker.asks && await asker.ask(questionText(question));
      if (yes) accepted.push(question);
      else declined.set(proposalKey(question), question);
    }
    if (accepted.length === 0) return { found, env, left: [...declined.values()] };
    permissions = withGrants(found.granted, accepted);
    // A variable is of use to it only with the operator's value.
    const handed = accepted.filter(({ kind }) => kind === "env")
      .map(({ grant }) => [grant, `\${${grant}}`]);
    env = { ...Object.fromEntries(handed), ...env };
  }
}

function questionText({ kind, grant, reason, isNeeded }: FoundGrant): string {
  const need = isNeeded ? "it gave no list of tools without it" : "it works without it so far";
  const what = kind === "env" ? `Hand it your variable ${grant}` : `Grant ${kind} ${grant}`;
  return `${what} (${reason}; ${need})?`;
}

function printFound(output: Output, launch: NpmLaunch, found: Discovery): void {
  if (output.json) return;
  const why = new Map(found.added.map((grant) => [proposalKey(grant), grant.reason]));
  const granted: readonly (readonly [string, false | readonly string[]])[] = Object.entries(
    found.granted,
  );
  const rows = granted.flatMap(([kind, list]) =>
    (list || []).map((grant) => [
      kind,
      grant,
      why.get(`${kind} ${grant}`) ?? "given by you",
    ])
  );
  output.line(`npm:${launch.package}: ${toolsText(found)}`);
  output.line(
    rows.length === 0
      ? "It needs no grant at all."
      : renderTable(["GRANT", "VALUE", "WHY"], rows, (text) => output.style("bold", text)),
  );
  if (found.failure !== undefined) {
    output.warn(`The server gave no list of tools: ${found.failure}`);
  }
}

function toolsText({ tools, rounds }: Discovery): string {
  const times = rounds === 1 ? "once" : `${rounds} times`;
  return tools === undefined
    ? `no tools (started ${times})`
    : `${tools.length} tools (started ${times})`;
}

function printLeft(output: Output, left: readonly FoundGrant[]): void {
  for (const { kind, grant, reason, isNeeded } of left) {
    const need = isNeeded ? ", and gave no list of tools without it" : "";
    output.warn(
      `Left out: ${kind} ${grant} (${reason}). It asked for it${need}. To grant it: ` +
        (kind === "env" ? `--env '${grant}=\${${grant}}'` : `--allow-${kind}='${grant}'`),
    );
  }
}

function planOf(
  { package: name, args }: NpmLaunch,
  permissions: Permissions,
  env: Readonly<Record<string, string>>,
  found: Discovery | undefined,
  left: readonly FoundGrant[],
): AddPlan {
  const granted = permissions as unknown as JsonObject;
  const leftOut = left.map(({ kind, grant, reason, isNeeded }) => ({
    kind,
    grant,
    reason,
    isNeeded,
  }));
  return {
    entry: {
      command: `npm:${name}`,
      ...(args.length === 0 ? {} : { args: [...args] }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
      ...(Object.keys(granted).length === 0 ? {} : { permissions: granted }),
    },
    facts: {
      containment: "sandboxed",
      permissions: granted,
      leftOut,
      ...(found === undefined ? {} : { rounds: found.rounds }),
      ...(found?.tools === undefined ? {} : { tools: [...found.tools] }),
      ...(found?.failure === undefined ? {} : { failure: found.failure }),
    },
    works: found === undefined || found.tools !== undefined,
  };
}
