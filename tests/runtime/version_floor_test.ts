import assert from "node:assert/strict";
import { isAtLeast, VERSION_FLOOR } from "../../runtime/version_floor.ts";

Deno.test("isAtLeast() compares numbers, not texts", () => {
  const cases: [version: string, floor: string, good: boolean][] = [
    ["2.8.1", "2.8.1", true],
    ["2.8.0", "2.8.1", false],
    ["2.10.0", "2.8.1", true],
    ["2.9.6", "2.8.1", true],
    ["3.0.0", "2.8.1", true],
    ["1.46.3", "2.8.1", false],
    ["2.8.10", "2.8.9", true],
    ["2.8.1+abc1234", "2.8.1", true],
    ["2.9.0-rc.1", "2.8.1", true],
  ];
  for (const [version, floor, good] of cases) {
    assert.equal(isAtLeast(version, floor), good, `${version} against ${floor}`);
  }
});

Deno.test("VERSION_FLOOR is what this machine has at least", () => {
  assert.equal(VERSION_FLOOR, "2.8.1");
  assert.ok(isAtLeast(Deno.version.deno, VERSION_FLOOR));
});
