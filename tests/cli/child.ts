/**
 * Runs the command line as `deno task cli` does, in a process of its own and with a home folder of its own.
 * @module
 */
import manifest from "../../deno.json" with { type: "json" };

export const ROOT: string = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
export const GOOD = `${ROOT}/tests/fixtures/cli/good`;
export const BROKEN = `${ROOT}/tests/fixtures/cli/broken`;
export const FAILING = `${ROOT}/tests/fixtures/cli/failing`;

/** What a finished child left. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home folder of a test's own, with what runs there. */
export interface Home extends AsyncDisposable {
  readonly dir: string;
  spawn(words: readonly string[], stdin?: "piped" | "null"): Deno.ChildProcess;
  run(...words: string[]): Promise<Finished>;
  runWithInput(input: string, ...words: string[]): Promise<Finished>;
}

export async function makeHome(): Promise<Home> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-cli-" }));
  const spawn = (words: readonly string[], stdin: "piped" | "null" = "null") =>
    new Deno.Command(Deno.execPath(), {
      args: [...taskArguments(dir), ...words],
      cwd: ROOT,
      env: { ...Deno.env.toObject(), HOME: dir, DENO_DIR: denoDir() },
      clearEnv: true,
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  return {
    dir,
    spawn,
    run: (...words) => finish(spawn(words)),
    async runWithInput(input, ...words) {
      const child = spawn(words, "piped");
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(input));
      await writer.close();
      return await finish(child);
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

export async function finish(child: Deno.ChildProcess): Promise<Finished> {
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** Lines of a child's output, one after the other. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** The words of the task `cli`, so that the tests run with the grants that users get. */
function taskArguments(home: string): string[] {
  const [program, ...words] = manifest.tasks.cli.split(" ");
  if (program !== "deno") throw new Error(`The task "cli" starts "${program}", expected "deno"`);
  return words.map((word) => word.replaceAll("$PWD", ROOT).replaceAll("$HOME", home));
}

function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}
