/** The shared collections of commands, where they are: through the whole runtime, and through the gate. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ToolEntry } from "../../../core/entry.ts";
import { CommandGate } from "../../../runtime/approval/command_gate.ts";
import { CommandContainer } from "../../../runtime/container/command_container.ts";
import { holds, startContained, withFolder } from "../container/_container.ts";

const SHARED = new URL("../../../../shared/data/hostile/commands/", import.meta.url);
const TERMINAL = { name: "terminal", owner: "builtin", permissions: {} } as unknown as ToolEntry;

function read<T>(name: string): readonly T[] {
  try {
    return JSON.parse(readFileSync(new URL(name, SHARED), "utf8"));
  } catch {
    return [];
  }
}

const dangerous = read<{ readonly command: string }>("dangerous.json").map(({ command }) =>
  command
);
const everyday = read<string>("everyday.json");
const ignore = dangerous.length === 0;

Deno.test({
  name: "dispatch() starts no dangerous command of the collection where nobody approves",
  ignore,
}, async () => {
  await using test = await startContained({ isAsked: true });
  for (const command of dangerous) {
    const { end, error } = await test.call({ command });
    assert.deepEqual([error?.code, end], ["approval_denied", "never_started"], command);
  }
});

Deno.test({
  name: "CommandGate lets every everyday command of the collection run unasked in a container",
  ignore: ignore || !await holds(),
}, async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/space`);
    const container = new CommandContainer({
      workspace: `${folder}/space`,
      configured: [],
      data: `${folder}/data`,
      home: undefined,
      isAllowed: true,
      containment: () => Promise.resolve("none"),
    });
    assert.equal((await container.mode()).mode, "contained");
    const gate = new CommandGate(`${folder}/space`, () => Promise.resolve(container));
    for (const command of everyday) {
      const verdict = await gate.check(TERMINAL, { command });
      assert.deepEqual([verdict?.accident, verdict?.reason], [undefined, undefined], command);
    }
  });
});
