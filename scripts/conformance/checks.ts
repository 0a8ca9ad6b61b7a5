/**
 * Reads what the conformance suite wrote about a run.
 * @module
 */

/** How a check of the suite came out. */
export type CheckStatus = "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";

/** One check of a scenario. */
export interface Check {
  /** The check's name in expected-failures files. */
  readonly id: string;
  /** How it came out. */
  readonly status: CheckStatus;
  /** Why it failed. */
  readonly errorMessage?: string;
}

/** What came of one scenario. */
export interface ScenarioChecks {
  /** The scenario's name. */
  readonly scenario: string;
  /** Its checks. */
  readonly checks: readonly Check[];
}

/** The time that the suite puts behind the name of a scenario's folder. */
const TIME = /-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/**
 * Reads the checks of a run.
 *
 * @param folder Where the suite wrote, a folder for each scenario.
 * @returns The scenarios, by name.
 */
export async function readChecks(folder: string): Promise<readonly ScenarioChecks[]> {
  const found: ScenarioChecks[] = [];
  for await (const path of checkFiles(folder, "")) {
    const scenario = path.replace(TIME, "").replace(/^server-(?=.)/, "");
    const checks: unknown = JSON.parse(await Deno.readTextFile(`${folder}/${path}/checks.json`));
    if (!Array.isArray(checks)) throw new TypeError(`The checks of "${path}" are no list`);
    found.push({ scenario, checks: checks.map(readCheck) });
  }
  return found.toSorted((a, b) => a.scenario < b.scenario ? -1 : 1);
}

/** How many checks came out in each way. */
export interface Tally {
  /** Checks that passed. */
  readonly passed: number;
  /** Checks that failed. */
  readonly failed: number;
  /** Checks that warn. */
  readonly warned: number;
}

/**
 * Counts checks.
 *
 * @param checks The checks.
 * @returns How many came out in each way.
 */
export function tally(checks: readonly Check[]): Tally {
  const count = (status: CheckStatus): number =>
    checks.filter((one) => one.status === status).length;
  return { passed: count("SUCCESS"), failed: count("FAILURE"), warned: count("WARNING") };
}

// A scenario's name may hold a slash, which then makes a folder of its own.
async function* checkFiles(folder: string, path: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${path}`)) {
    if (isDirectory) yield* checkFiles(folder, path === "" ? name : `${path}/${name}`);
    else if (name === "checks.json") yield path;
  }
}

function readCheck(value: Check): Check {
  const { id, status, errorMessage } = value;
  return { id, status, ...(errorMessage === undefined ? {} : { errorMessage }) };
}
