import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath, pathToFileURL } from "node:url";
import { OriginStorage } from "../../runtime/origin_storage.ts";
import { until } from "../workers/_wait.ts";

interface Bench {
  readonly base: string;
  /** Deno's own folder, with a package in it. */
  readonly denoDir: string;
  /** Writes what Deno would for a cell with this configuration. */
  store(origin: { readonly configPath: string; readonly denoDir: string }): string;
}

async function withFolder(work: (bench: Bench) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-origin-" }));
  const [base, denoDir] = [`${folder}/cache`, `${folder}/deno`];
  await Deno.mkdir(`${denoDir}/npm`, { recursive: true });
  await Deno.writeTextFile(`${denoDir}/npm/package`, "its code");
  const store: Bench["store"] = ({ configPath, denoDir: own }) => {
    const key = createHash("sha256").update(pathToFileURL(configPath).href).digest("hex");
    const path = `${own}/location_data/web_cache/${key}`;
    Deno.mkdirSync(path, { recursive: true });
    Deno.writeTextFileSync(`${path}/body`, "kept");
    return path;
  };
  try {
    await work({ base, denoDir, store });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("OriginStorage.open() gives each cell a place of its own beside the packages of all, and takes it away with the cell", () =>
  withFolder(async ({ base, denoDir, store }) => {
    using storage = new OriginStorage({ deno: "deno", denoDir });
    const [first, second] = [await storage.open(base, "{}"), await storage.open(base, "{}")];
    assert.notEqual(first.configPath, second.configPath);
    assert.equal(await Deno.readTextFile(first.configPath), "{}");
    assert.equal(await Deno.readTextFile(`${first.denoDir}/npm/package`), "its code");
    const [own, other] = [store(first), store(second)];
    await first.close();
    assert.deepEqual([isThere(first.configPath), isThere(own)], [false, false]);
    assert.deepEqual([isThere(second.configPath), isThere(other)], [true, true]);
    assert.equal(await Deno.readTextFile(`${denoDir}/npm/package`), "its code");
    // The cache folder may be emptied at any time.
    await Deno.remove(base, { recursive: true });
    const third = await storage.open(base, "{}");
    assert.equal(await Deno.readTextFile(`${third.denoDir}/npm/package`), "its code");
  }));

Deno.test("OriginStorage.open() removes what a runtime that was killed left, and nothing of one that runs", () =>
  withFolder(async ({ base, denoDir, store }) => {
    const options = { deno: "deno", denoDir };
    using running = new OriginStorage(options);
    const live = await running.open(base, "{}");
    const kept = store(live);
    const left = { configPath: `${base}/cells/killed/1.json`, denoDir: live.denoDir };
    await Deno.mkdir(`${base}/cells/killed`);
    await Deno.writeTextFile(left.configPath, "{}");
    await Deno.writeTextFile(`${base}/cells/killed.lock`, "");
    const gone = store(left);
    using next = new OriginStorage(options);
    const origin = await next.open(base, "{}");
    await until("the leftovers", () => !isThere(gone) && !isThere(`${base}/cells/killed.lock`));
    assert.equal(isThere(`${base}/cells/killed`), false);
    assert.deepEqual([isThere(kept), isThere(live.configPath)], [true, true]);
    assert.ok(isThere(origin.configPath));
  }));

Deno.test("OriginStorage.open() links packages also where this process may write only to its own folders", () =>
  withFolder(async ({ base, denoDir }) => {
    const program = fileURLToPath(
      new URL("../fixtures/runtime/open_origin.ts", import.meta.url),
    );
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-read",
        `--allow-write=${base}`,
        "--allow-run=deno",
        program,
        base,
        denoDir,
      ],
    }).output();
    assert.equal(
      new TextDecoder().decode(stdout),
      '"its code"\n',
      new TextDecoder().decode(stderr),
    );
  }));
