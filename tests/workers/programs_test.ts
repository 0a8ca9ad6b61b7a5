import assert from "node:assert/strict";
import { startPool } from "./_pool.ts";
import { soon, until } from "./_wait.ts";

/** How many programs run that were started with an argument of their own. */
async function running(argument: string): Promise<number> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-fc", `sleep ${argument}`] })
    .output();
  return Number(new TextDecoder().decode(stdout));
}

Deno.test({
  name:
    "WorkerPool.run() ends the programs that a tool started with its last call, and has the next cell ready",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using test = await startPool();
    const seconds = (600 + Math.random()).toFixed(6);
    const call = (ms: number) => {
      const begun = Promise.withResolvers<unknown>();
      const request = test.request("programs.ts", "leaves", {
        args: { seconds, ms },
        grants: { run: ["/bin/sleep"] },
        startsPrograms: true,
        shared: false,
      });
      return { begun, outcome: test.pool.run({ ...request, onProgress: begun.resolve }) };
    };
    const long = call(800);
    await soon("its beginning", long.begun.promise);
    // Another call of the tool that ends meanwhile ends nothing of this one.
    assert.equal((await call(0).outcome).end, "completed");
    await until("both programs run", async () => await running(seconds) === 2);
    assert.equal((await long.outcome).end, "completed");
    await until("no program is left", async () => await running(seconds) === 0, 2_000);
    await until("the next cell is there", () => test.pool.cellCount === 1);
  },
});
