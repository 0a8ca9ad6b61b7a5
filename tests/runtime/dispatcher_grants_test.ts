import assert from "node:assert/strict";
import { startRuntime } from "./_runtime.ts";

Deno.test("Dispatcher.dispatch() tells of a denied access what was asked for, what is declared, and the line to change", async () => {
  await using test = await startRuntime({ fixtures: ["grants"] });
  const path = new URL("../fixtures/runtime/grants/snoops.ts", import.meta.url).pathname;
  const undeclared = await test.call("snoop_undeclared", {});
  assert.deepEqual(undeclared.error, {
    code: "permission_denied",
    message:
      'Tool "snoop_undeclared" asked for read access to "/etc/hostname", but it declares no ' +
      `read permission (${path}:3). To allow it, change its registration to permissions: ` +
      '{ read: ["/etc/hostname"] }, unless the operator\'s ceiling forbids it',
    retryable: false,
    details: { kind: "read", what: "/etc/hostname", declared: [] },
  });
  const elsewhere = await test.call("snoop_elsewhere", {});
  assert.match(
    elsewhere.error!.message,
    /but it declares read: \["\$WORKSPACE"\] \(.*snoops\.ts:10\)/,
  );
});

Deno.test("Dispatcher.dispatch() lets a tool do what it declared, and no more", async () => {
  await using test = await startRuntime({
    fixtures: ["grants"],
    environment: (name) => name === "TEST_COLOUR" ? "blue" : Deno.env.get(name),
  });
  await Deno.writeTextFile(`${test.workspace}/a.txt`, "inside");
  await Deno.writeTextFile(`${test.base}/b.txt`, "outside");
  assert.equal((await test.call("reads_workspace", { path: "a.txt" })).content, "inside");
  const outside = await test.call("reads_workspace", { path: "../b.txt" });
  assert.equal(outside.error?.code, "tool_error");
  assert.match(outside.error!.message, /it leaves the workspace/);
  assert.equal((await test.call("keeps_data", {})).content, "1");
  assert.equal((await test.call("keeps_data", {})).content, "2");
  assert.equal((await test.call("reads_variable", {})).content, "blue");
});

Deno.test("Dispatcher.dispatch() refuses an argument that names this machine, before anything runs", async () => {
  await using test = await startRuntime({ fixtures: ["grants"] });
  for (const host of ["127.0.0.1:9", "localhost:9", "[::1]:9", "0.0.0.0:9", "2130706433:9"]) {
    const result = await test.call("snoop_loopback", { url: `http://${host}/` });
    assert.equal(result.error?.code, "permission_denied", `${host}: ${result.content}`);
  }
});

Deno.test("Dispatcher.dispatch() does not call what the configuration leaves out", async () => {
  await using test = await startRuntime({
    fixtures: ["calls", "grants"],
    config: { enabledToolsets: ["grants"] },
  });
  const result = await test.call("call_echo", {});
  assert.deepEqual([result.error?.code, result.end], ["not_enabled", "never_started"]);
});
