import assert from "node:assert/strict";
import type { Placement } from "../../workers/execution.ts";
import { Quarantine } from "../../workers/quarantine.ts";
import { NO_GRANTS } from "../../core/permissions.ts";

const cell = {
  grants: NO_GRANTS,
  denyNet: [],
  denyWrite: [],
  memoryMb: 64,
  startsPrograms: false,
  env: {},
};
const SHARED: Placement = {
  group: "g",
  cell,
  perCall: false,
  shared: true,
  spare: true,
  inProcess: false,
};

Deno.test("Quarantine.place() gives a suspect a cell for each call until it has answered", () => {
  const quarantine = new Quarantine();
  assert.equal(quarantine.place("a", SHARED), SHARED);
  quarantine.suspect(["a"]);
  const { perCall, shared, spare, group } = quarantine.place("a", SHARED);
  assert.deepEqual([perCall, shared, spare, group], [true, false, false, "g"]);
  assert.equal(quarantine.place("b", SHARED), SHARED);
  quarantine.clear("a");
  assert.equal(quarantine.place("a", SHARED), SHARED);
});

Deno.test("Quarantine.place() gives an offender a cell of its own for good, and reasonOf() says why", () => {
  const quarantine = new Quarantine();
  quarantine.suspect(["a"]);
  quarantine.convict("a", "It spun");
  quarantine.convict("a", "It did something else later");
  quarantine.suspect(["a"]);
  quarantine.clear("a");
  const own = quarantine.place("a", SHARED);
  assert.deepEqual([own.perCall, own.shared], [false, false]);
  assert.notEqual(own.group, SHARED.group);
  assert.equal(quarantine.place("a", SHARED).group, own.group);
  quarantine.convict("b", "It spun too");
  assert.notEqual(quarantine.place("b", SHARED).group, own.group);
  assert.deepEqual([quarantine.reasonOf("a"), quarantine.reasonOf("c")], ["It spun", undefined]);
});

Deno.test("Quarantine.place() leaves a module where it is that shares its cell with nobody", () => {
  const quarantine = new Quarantine();
  quarantine.convict("a", "It spun");
  for (const own of [{ ...SHARED, shared: false }, { ...SHARED, inProcess: true }]) {
    assert.equal(quarantine.place("a", own), own);
  }
});
