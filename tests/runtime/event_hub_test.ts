import assert from "node:assert/strict";
import { EventHub } from "../../runtime/event_hub.ts";

const START = { callId: "c", name: "tool" };

Deno.test("EventHub.emit() tells every listener of that event, and nobody else", () => {
  const heard: unknown[] = [];
  const hub = new EventHub(() => {});
  hub.on("tool-call-start", (event) => heard.push(["first", event]));
  hub.on("tool-call-start", (event) => heard.push(["second", event]));
  hub.on("tool-log", (event) => heard.push(["log", event]));
  hub.emit("tool-call-start", START);
  hub.emit("tool-call-progress", { callId: "c", value: 1 });
  assert.deepEqual(heard, [["first", START], ["second", START]]);
});

Deno.test("EventHub.on() gives a function that stops one listener only, also while it is told", () => {
  const heard: string[] = [];
  const hub = new EventHub(() => {});
  const stop = hub.on("tool-call-start", () => {
    heard.push("once");
    stop();
  });
  hub.on("tool-call-start", () => heard.push("always"));
  hub.emit("tool-call-start", START);
  hub.emit("tool-call-start", START);
  stop();
  assert.deepEqual(heard, ["once", "always", "always"]);
});

Deno.test("EventHub.emit() tells the others when a listener throws, and reports the fault", () => {
  const faults: unknown[] = [];
  const heard: string[] = [];
  const hub = new EventHub((error) => faults.push(error));
  const fault = new Error("A listener's fault");
  hub.on("tool-call-start", () => {
    throw fault;
  });
  hub.on("tool-call-start", () => heard.push("told"));
  hub.emit("tool-call-start", START);
  assert.deepEqual([faults, heard], [[fault], ["told"]]);
});
