import assert from "node:assert/strict";
import { startRuntime, type TestRuntime } from "../_runtime.ts";

async function verdict(test: TestRuntime, name: string): Promise<unknown> {
  const { available, reason } = await test.runtime.availability(name);
  return reason ?? available;
}

function environment(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) =>
    variables[name] ?? (name.startsWith("CLOISTER_TEST_") ? undefined : Deno.env.get(name));
}

Deno.test("AvailabilityProber.probe() wants every variable, and of an inner list any one", async () => {
  const both = "CLOISTER_TEST_A or CLOISTER_TEST_B";
  const cases: [variables: Record<string, string>, missing: string | undefined][] = [
    [{}, "CLOISTER_TEST_KEY"],
    [{ CLOISTER_TEST_KEY: "" }, "CLOISTER_TEST_KEY"],
    [{ CLOISTER_TEST_KEY: "k" }, both],
    [{ CLOISTER_TEST_KEY: "k", CLOISTER_TEST_A: "" }, both],
    [{ CLOISTER_TEST_KEY: "k", CLOISTER_TEST_B: "b" }, undefined],
    [{ CLOISTER_TEST_KEY: "k", CLOISTER_TEST_A: "a" }, undefined],
  ];
  for (const [variables, missing] of cases) {
    await using test = await startRuntime({
      fixtures: ["needs"],
      environment: environment(variables),
    });
    assert.equal(
      await verdict(test, "needs_variable"),
      missing === undefined
        ? true
        : `Environment variable ${missing} is not set, or may not be read here`,
    );
  }
});

Deno.test("AvailabilityProber.probe() looks for programs and files without running anything", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  assert.equal(
    await verdict(test, "needs_program"),
    'Program "cloister-no-such-program" is not on the PATH',
  );
  assert.equal(await verdict(test, "needs_file"), 'File "needed.txt" does not exist');
  await Deno.writeTextFile(`${test.workspace}/needed.txt`, "");
  assert.equal(await verdict(test, "needs_file"), true);
  assert.equal((await test.call("needs_file", {})).content, "here");
});

Deno.test("AvailabilityProber.probe() finds a program on the PATH that it is given", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cloister-bin-" });
  try {
    await Deno.writeTextFile(`${folder}/cloister-no-such-program`, "#!/bin/sh\n", { mode: 0o755 });
    await using test = await startRuntime({
      fixtures: ["needs"],
      environment: environment({ PATH: `${folder}:${Deno.env.get("PATH")}` }),
    });
    assert.equal(await verdict(test, "needs_program"), true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("AvailabilityProber.probe() tells of a grant that needs the operator's word", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  assert.match(
    String(await verdict(test, "needs_proc")),
    /^read "\/proc" .* needs the operator's word/,
  );
  const called = await test.call("needs_proc", {});
  assert.deepEqual([called.error?.code, called.end], ["unavailable", "never_started"]);
});

Deno.test("AvailabilityProber.probe() asks the tool's own check, in a process that is not this one", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  const reason = String(await verdict(test, "needs_luck"));
  const pid = Number(/^No luck in process (\d+)$/.exec(reason)?.[1]);
  assert.ok(pid > 0 && pid !== Deno.pid, reason);
  await using lucky = await startRuntime({
    fixtures: ["needs"],
    config: { tools: { needs_luck: { lucky: true } } },
  });
  assert.equal(await verdict(lucky, "needs_luck"), true);
});

Deno.test("AvailabilityProber.probe() asks once for all who ask at the same time, and peeks without asking", async () => {
  await using test = await startRuntime({ fixtures: ["needs"] });
  const { registry } = test.runtime;
  assert.equal(registry.peekAvailability("needs_luck"), undefined);
  const [first, second] = await Promise.all([
    test.runtime.availability("needs_luck"),
    test.runtime.availability("needs_luck"),
  ]);
  assert.deepEqual(first, second);
  assert.deepEqual(registry.peekAvailability("needs_luck"), first);
  registry.invalidateCheckCache();
  assert.equal(registry.peekAvailability("needs_luck"), undefined);
});

Deno.test("AvailabilityProber.probe() answers for names that nobody has", async () => {
  await using test = await startRuntime();
  assert.equal(await verdict(test, "nobody"), "There is no such tool");
});
