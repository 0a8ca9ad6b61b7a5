import assert from "node:assert/strict";
import { clearAlarm, setAlarm } from "../../workers/alarms.ts";
import { soon } from "./_wait.ts";

function rings(ms: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const from = performance.now();
  setAlarm(ms, () => resolve(performance.now() - from));
  return soon("the alarm", promise);
}

Deno.test("setAlarm() rings each alarm at its time, in the order of their times and not before", async () => {
  const order: number[] = [];
  const waits = [90, 30, 60, 30, 1].map(async (ms) => {
    const after = await rings(ms);
    order.push(ms);
    assert.ok(after >= ms, `${after} ms for ${ms}`);
  });
  await Promise.all(waits);
  assert.deepEqual(order, [1, 30, 30, 60, 90]);
});

Deno.test("setAlarm() rings at once for no time, and takes times that no timer can hold", async () => {
  const far = setAlarm(Infinity, () => assert.fail("it rang"));
  assert.ok(await rings(0) < 5_000);
  clearAlarm(far);
});

Deno.test("clearAlarm() keeps an alarm from ringing, and others not", async () => {
  const rung: string[] = [];
  const cleared = setAlarm(10, () => void rung.push("cleared"));
  const others = rings(30);
  clearAlarm(cleared);
  clearAlarm(cleared);
  clearAlarm(undefined);
  await others;
  assert.deepEqual(rung, []);
  // An earlier one after all were gone.
  assert.ok(await rings(5) >= 5);
});

async function run(script: string): Promise<{ readonly code: number; readonly text: string }> {
  const url = new URL("../../workers/alarms.ts", import.meta.url).href;
  const program = `import { clearAlarm, setAlarm } from "${url}";\n${script}`;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    stderr: "null",
  }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

Deno.test("setAlarm() keeps the process until it rings, and clearAlarm() lets it end", async () => {
  const rung = await run(
    'clearAlarm(setAlarm(50, () => {})); setAlarm(100, () => console.log("rung"));',
  );
  assert.deepEqual(rung, { code: 0, text: "rung\n" });
  const ended = soon("the end", run('clearAlarm(setAlarm(600_000, () => console.log("rung")));'));
  assert.deepEqual(await ended, { code: 0, text: "" });
});
