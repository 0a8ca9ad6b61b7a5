/**
 * What the conformance suite is asked: each revision's requirements, of the server and of the client.
 * @module
 */
import { fileURLToPath } from "node:url";
import { relative } from "node:path/posix";
import { readChecks } from "./checks.ts";
import { judgeLeg, type Leg, type LegOutcome } from "./judge_leg.ts";
import { startFixtureServer } from "./fixture_server.ts";
import { type PeerResult, PEERS_FOLDER, runPeer } from "./peers.ts";

/** All runs. */
export const LEGS: readonly Leg[] = [
  { side: "server", revision: "2025-11-25", alsoPassing: ["json-schema-2020-12"] },
  {
    side: "server",
    revision: "2026-07-28",
    alsoPassing: [
      "json-schema-2020-12",
      "http-header-validation",
      "http-custom-header-server-validation",
    ],
  },
  { side: "client", revision: "2025-11-25", alsoPassing: [] },
  { side: "client", revision: "2026-07-28", alsoPassing: [] },
];

/** Longest run in milliseconds; one takes some 5 seconds. */
const LEG_MS = 120_000;
/** Longest scenario of the client in milliseconds: all of them run at once. */
const CLIENT_MS = 30_000;

/**
 * Runs the suite once.
 *
 * @param leg What it is asked.
 * @returns What came of it.
 */
export async function runLeg(leg: Leg): Promise<LegOutcome> {
  const folder = await Deno.makeTempDir({ prefix: "cloister-conformance-" });
  try {
    const { result, log } = leg.side === "server"
      ? await checkServer(leg, folder)
      : await checkClient(leg, folder);
    return judgeLeg(leg, { result, log, scenarios: await readChecks(folder) });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function checkServer(
  { revision }: Leg,
  folder: string,
): Promise<{ readonly result: PeerResult; readonly log: string }> {
  await using server = await startFixtureServer();
  const expected = fromPeers(`../../tests/conformance/expected_failures_${revision}.yml`);
  const result = await runPeer("conformance", [
    "server",
    ...["--url", server.url],
    ...["--requirements", revision],
    ...["--expected-failures", expected],
    ...["--output-dir", folder],
  ], LEG_MS);
  return { result, log: server.log() };
}

async function checkClient(
  { revision }: Leg,
  folder: string,
): Promise<{ readonly result: PeerResult; readonly log: string }> {
  const client = [
    Deno.execPath(),
    ...["run", "-A", "--config", fromPeers("../../deno.json")],
    fromPeers("../../tests/conformance/client.ts"),
  ];
  const result = await runPeer("conformance", [
    "client",
    // The suite splits this at spaces and hands it to a shell, so that quotes reach the shell. With "exec" the client
    // takes the shell's place, so that the suite ends the client itself when its time is over.
    ...["--command", ["exec", ...client.map((word) => `'${word}'`)].join(" ")],
    ...["--requirements", revision],
    ...["--expected-failures", fromPeers("../../tests/conformance/expected_failures_client.yml")],
    ...["--timeout", String(CLIENT_MS)],
    ...["--output-dir", folder],
  ], LEG_MS);
  return { result, log: "" };
}

function fromPeers(path: string): string {
  return relative(PEERS_FOLDER, fileURLToPath(new URL(path, import.meta.url)));
}
