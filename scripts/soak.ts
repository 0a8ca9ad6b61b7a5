/**
 * Soaks `cloister serve` and `cloister mcp`: tools that are fast, slow, hang, spin, exit and take memory; clients that
 * cancel; cells that are killed; files that change. Prints what became of the calls, and exits with 1 when something
 * does not hold.
 *
 * `deno task soak [--minutes 3] [--rest 90]`
 * @module
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { quantile } from "../bench/harness/stats.ts";
import { callMany, callOnce, httpCaller, mcpClient, pause, type Soak } from "./soak/clients.ts";
import { EDITED, fileText, judge, KINDS, type Verdict } from "./soak/kinds.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const HTTP_CLIENTS = 8;
const KILL_EVERY_MS = 30_000;
const EDIT_EVERY_MS = 5_000;
/** After this long every call must see an edit. */
const EDIT_SEEN_MS = 10_000;
const IDLE_MS = 15_000;
const LOST_SHARE = 0.002;
/** Files that are opened once and kept, such as the log, belong to no call. */
const KEPT_DESCRIPTORS = 4;
const COLUMNS: readonly Verdict[] = ["expected", "lost", "killed", "crossed", "wrong", "late"];

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "3" }, rest: { type: "string", default: "90" } },
});
const minutes = Number(values.minutes);
const restMs = Number(values.rest) * 1_000;
if (!(minutes > 0 && restMs > 0)) {
  throw new RangeError(
    `Cannot soak for "${values.minutes}" minutes and rest for "${values.rest}" seconds: ` +
      "expected numbers above 0",
  );
}

const folder = await Deno.makeTempDir({ dir: "/tmp", prefix: "cloister-soak-" });
for (const name of ["tools", "workspace", "tmp", "cache"]) await Deno.mkdir(`${folder}/${name}`);
const pathOf = (tool: string) => `${folder}/tools/${tool}.ts`;
for (const kind of KINDS) await Deno.writeTextFile(pathOf(kind.name), fileText(kind));
await Deno.writeTextFile(pathOf(EDITED.name), fileText(EDITED, 0));
const echo = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  (request) => new Response(new URL(request.url).pathname),
);
const echoHost = `127.0.0.1:${echo.addr.port}`;
const config = {
  limits: { idleMs: IDLE_MS },
  permissions: { tools: { fetch: { allow: { net: [echoHost] } } } },
};
await Deno.writeTextFile(`${folder}/cloister.json`, JSON.stringify(config));
const command = (...words: string[]) => ({
  args: [
    ...["task", "--quiet", "cli", ...words, "--root", `${folder}/tools`],
    ...["--config", `${folder}/cloister.json`, "--workspace", `${folder}/workspace`],
  ],
  cwd: PROJECT,
  env: { CLOISTER_CACHE: `${folder}/cache`, TMPDIR: `${folder}/tmp` },
});

const server = new Deno.Command("deno", {
  ...command("serve", "--port", "0", "--json"),
  stdin: "null",
  stdout: "piped",
}).spawn();
const listening = Promise.withResolvers<string>();
void server.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
  new WritableStream({
    write(text) {
      const url = /"listening","url":"([^"]+)"/.exec(text)?.[1];
      if (url !== undefined) listening.resolve(url);
    },
  }),
);
const over = new AbortController();
const connections = Deno.createHttpClient({});
void server.status.then(({ code }) => {
  listening.reject(new Error(`The server ended with ${code}`));
  if (!over.signal.aborted) soak.faults.push(`The server ended with ${code} under load`);
});
const soak: Soak = {
  url: await listening.promise,
  echoUrl: `http://${echoHost}`,
  over: over.signal,
  fetch: (input, init) => fetch(input, { ...init, client: connections }),
  answers: [],
  faults: [],
  sent: 0,
};
const kills: number[] = [];

async function shell(script: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  return new TextDecoder().decode(stdout);
}

interface Process {
  readonly pid: number;
  readonly isCell: boolean;
}

/** The server, the client's server on stdio, and all below them; the server comes first. */
async function family(): Promise<Process[]> {
  const text = await shell("ps -eo pid=,ppid=,args=");
  const all = text.split("\n").filter((line) => !line.includes("ps -eo")).map((line) => {
    const [, pid, parent, args = ""] = /^ *(\d+) +(\d+) (.*)/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), isCell: args.includes("cell_main.ts") };
  });
  const found = all.filter(({ pid }) => pid === server.pid);
  found.push(...all.filter(({ pid, parent }) => parent === Deno.pid && pid !== server.pid));
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** What calls may leave behind: processes, temporary files, open descriptors of the server. */
async function remains(): Promise<readonly number[]> {
  const { length } = await family();
  const front = await shell(`ps -o pid= --ppid ${server.pid}`);
  const files = `find ${folder}/tmp ${folder}/cache/tmp 2>/dev/null | wc -l`;
  const counts = await shell(`${files}; ls /proc/${front.trim()}/fd | wc -l`);
  return [length, ...counts.trim().split("\n").map(Number)];
}

async function killCells(): Promise<void> {
  while (await pause(KILL_EVERY_MS, over.signal)) {
    const cells = (await family()).filter(({ isCell }) => isCell);
    const cell = cells[Math.floor(Math.random() * cells.length)];
    if (cell === undefined) continue;
    kills.push(performance.now());
    await shell(`kill -9 ${cell.pid}`);
  }
}

async function changeFiles(): Promise<void> {
  for (let version = 1; await pause(EDIT_EVERY_MS, over.signal); version++) {
    const passing = { ...EDITED, name: "passing" };
    if (version % 2) await Deno.writeTextFile(pathOf("passing"), fileText(passing));
    else await Deno.remove(pathOf("passing"));
    await Deno.writeTextFile(pathOf(EDITED.name), fileText(EDITED, version));
    const end = performance.now() + EDIT_SEEN_MS;
    let seen = false;
    while (!seen && performance.now() < end) {
      const answer = await callOnce(soak, httpCaller(soak), EDITED);
      seen = answer?.text.includes(`version ${version};`) ?? false;
    }
    if (!seen) soak.faults.push(`Version ${version} of a file was not seen in ${EDIT_SEEN_MS} ms`);
  }
}

async function load(): Promise<void> {
  setTimeout(() => over.abort(), minutes * 60_000);
  const stdio = () =>
    new StdioClientTransport({ command: "deno", ...command("mcp"), stderr: "ignore" });
  const http = Array.from({ length: HTTP_CLIENTS }, () => httpCaller(soak));
  await Promise.all([
    ...http.map((caller) => callMany(soak, caller, { pauseMs: 250 })),
    ...[1, 2].map(() => mcpClient(soak, "2025-11-25")),
    ...[1, 2].map(() => mcpClient(soak, "2026-07-28")),
    mcpClient(soak, "2025-11-25", stdio),
    killCells(),
    changeFiles(),
  ]);
  connections.close();
}

/** Prints a line for each tool and gives the sums. */
function printCalls(): Map<Verdict, number> {
  const totals = new Map<Verdict, number>();
  const rows = [["tool", "answered", "cancelled", ...COLUMNS, "median ms", "longest ms"]];
  for (const kind of [...KINDS, EDITED]) {
    const all = soak.answers.filter((call) => call.kind === kind);
    const kept = all.filter(({ code }) => code !== "cancelled");
    const judged = Object.groupBy(kept, (call) => judge(call, kills));
    for (const verdict of COLUMNS) {
      const calls = judged[verdict] ?? [];
      totals.set(verdict, (totals.get(verdict) ?? 0) + calls.length);
      if (verdict === "expected" || verdict === "killed") continue;
      for (const { code, text } of calls) {
        soak.faults.push(`${verdict}: ${kind.name}: ${code} ${text.slice(0, 200)}`);
      }
    }
    const ms = kept.length > 0 ? kept.map(({ from, to }) => to - from) : [0];
    const counts = [all.length, all.length - kept.length]
      .concat(COLUMNS.map((verdict) => judged[verdict]?.length ?? 0))
      .concat(Math.round(quantile(ms, 0.5)), Math.round(Math.max(...ms)));
    rows.push([kind.name, ...counts.map(String)]);
  }
  for (const row of rows) console.log(row.map((cell) => cell.padEnd(11)).join(""));
  return totals;
}

function holds(ok: boolean, what: string): void {
  console.log(`${ok ? " ok " : "FAIL"}  ${what}`);
  if (!ok) Deno.exitCode = 1;
}

async function until(condition: () => Promise<boolean>, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!await condition() && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function main(): Promise<void> {
  await callOnce(soak, httpCaller(soak), KINDS[0]!);
  await until(async () => !(await family()).some(({ isCell }) => isCell), 4 * IDLE_MS);
  const before = await remains();
  console.log(`Soaking ${soak.url} for ${minutes} minutes`);
  await load();
  const restFrom = performance.now();
  let after = before;
  let isBack = false;
  await until(async () => {
    after = await remains();
    isBack = after.every((count, index) =>
      count <= before[index]! + (index === 2 ? KEPT_DESCRIPTORS : 0)
    );
    return isBack;
  }, restMs);
  const rested = Math.round((performance.now() - restFrom) / 1_000);

  const { sent, answers, faults } = soak;
  const unanswered = [...faults];
  const totals = printCalls();
  const count = (verdict: Verdict) => totals.get(verdict)!;
  const share = count("lost") / answers.length;
  holds(sent === answers.length, `${sent} calls, ${answers.length} answered or cancelled`);
  holds(count("crossed") + count("wrong") === 0, "every answer is that of its call");
  holds(count("late") === 0, "none came later than a second after its deadline");
  holds(
    share <= LOST_SHARE,
    `${count("lost")} (${(share * 100).toFixed(2)} %) were lost through a neighbour, ` +
      `${LOST_SHARE * 100} % at most; ${count("killed")} with ${kills.length} killed cells`,
  );
  holds(unanswered.length === 0, `${unanswered.length} faults of clients, lists and edits`);
  holds(
    isBack,
    `processes, temporary files, descriptors: ${before.join(", ")} before, ${after.join(", ")} ` +
      `${rested} s after`,
  );
  const grouped = Object.groupBy(faults, (fault) => fault);
  for (const [fault, same = []] of Object.entries(grouped).slice(0, 30)) {
    console.log(`      ${same.length} times ${fault}`);
  }
}

try {
  await main();
} finally {
  over.abort();
  server.kill("SIGTERM");
  await server.status;
  await echo.shutdown();
  await Deno.remove(folder, { recursive: true });
}
