import assert from "node:assert/strict";
import { canServeNames, runModuleWithNames } from "../_dns_server.ts";

const MODULE = new URL("./_hostile_names.ts", import.meta.url);
const ADDRESSES = ["93.184.216.34/32", "fd00::7/128"];
const HOSTILE = [
  "mapped.example",
  "compatible.example",
  "unique-local.example",
  "loopback.example",
];

for (const tool of ["reach_named", "reach_argument"]) {
  Deno.test({
    name: `attack [A29] names whose answers lead to this machine or its networks (${tool}): contained`,
    ignore: !canServeNames,
    fn: async () => {
      assert.deepEqual(await runModuleWithNames(MODULE, ADDRESSES, [tool, ...HOSTILE]), []);
    },
  });

  Deno.test({
    name: `attack [A29] twin a name with a public answer is reached, beside a mapped one too (${tool})`,
    ignore: !canServeNames,
    fn: async () => {
      const names = ["good.example", "both.example"];
      assert.deepEqual(
        await runModuleWithNames(MODULE, ADDRESSES, [tool, ...names]),
        names.flatMap((name) => [
          `${name} by fetch: reached`,
          `${name} by Deno.connect: connected to 93.184.216.34`,
          `${name} by node:net: connected to 93.184.216.34`,
          `${name} by WebSocket: opened`,
        ]),
      );
    },
  });
}
