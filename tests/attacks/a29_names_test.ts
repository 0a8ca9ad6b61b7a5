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

Deno.test({
  name: "attack [A29] names whose answers lead to this machine or its networks: contained",
  ignore: !canServeNames,
  fn: async () => {
    assert.deepEqual(await runModuleWithNames(MODULE, ADDRESSES, HOSTILE), []);
  },
});

Deno.test({
  name: "attack [A29] twin a name with a public answer is reached, beside a mapped one too",
  ignore: !canServeNames,
  fn: async () => {
    const names = ["good.example", "both.example"];
    assert.deepEqual(await runModuleWithNames(MODULE, ADDRESSES, names), [
      ...names.flatMap((name) => [
        `reach_named ${name} by fetch: reached`,
        `reach_named ${name} by Deno.connect: connected to 93.184.216.34`,
        `reach_named ${name} by node:net: connected to 93.184.216.34`,
        `reach_named ${name} by WebSocket: opened`,
      ]),
      // The operator's word for one address of this machine closes nothing.
      ...["reach_argument", "reach_word"].flatMap((tool) =>
        names.flatMap((name) => [
          `${tool} ${name} by fetch: reached`,
          `${tool} ${name} by node:net: connected to 93.184.216.34`,
        ])
      ),
      ...names.map((name) => `web_extract ${name}: reached`),
    ]);
  },
});
