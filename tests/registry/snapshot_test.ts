import assert from "node:assert/strict";
import type { ToolEntry } from "../../core/entry.ts";
import { ToolRegistry } from "../../registry/tool_registry.ts";
import { tool } from "./table_support.ts";

interface Table {
  snapshot(): { readonly generation: number; get(name: string): ToolEntry | undefined };
  set(mark: string): void;
}

const NAMES = ["alpha", "beta", "gamma"];

class RealTable implements Table {
  readonly #registry = new ToolRegistry();
  snapshot(): ReturnType<Table["snapshot"]> {
    return this.#registry.snapshot();
  }
  set(mark: string): void {
    this.#registry.update((draft) => {
      for (const name of NAMES) draft.register(tool(name, { description: mark }));
    });
  }
}

/** What the table must not be: its snapshots show the one map that is edited in place. */
class EditInPlaceTable implements Table {
  readonly #entries = new Map<string, ToolEntry>();
  #generation = 0;
  snapshot(): ReturnType<Table["snapshot"]> {
    return { generation: this.#generation, get: (name) => this.#entries.get(name) };
  }
  set(mark: string): void {
    const source = new ToolRegistry();
    for (const name of NAMES) {
      source.register(tool(name, { description: mark }));
      this.#entries.set(name, source.getEntry(name)!);
    }
    this.#generation++;
  }
}

async function tornReads(table: Table): Promise<number> {
  let torn = 0;
  async function read(): Promise<void> {
    const snapshot = table.snapshot();
    const marks = new Set<string>();
    for (const name of NAMES) {
      marks.add(snapshot.get(name)!.description);
      await Promise.resolve();
    }
    if (marks.size !== 1 || !marks.has(`generation ${snapshot.generation}`)) torn++;
  }
  async function write(): Promise<void> {
    for (let generation = 2; generation <= 40; generation++) {
      table.set(`generation ${generation}`);
      await Promise.resolve();
    }
  }
  table.set("generation 1");
  const readers = Array.from({ length: 50 }, async (_, index) => {
    for (let wait = 0; wait < index; wait++) await Promise.resolve();
    await read();
  });
  await Promise.all([write(), ...readers]);
  return torn;
}

Deno.test("RegistrySnapshot shows one generation to a reader that holds it across awaits", async () => {
  assert.equal(await tornReads(new RealTable()), 0);
});

Deno.test("RegistrySnapshot test is able to fail: a table edited in place gives torn reads", async () => {
  assert.ok(await tornReads(new EditInPlaceTable()) > 0);
});

Deno.test("RegistrySnapshot keeps what it showed, however many changes follow", () => {
  const registry = new ToolRegistry();
  const held = [registry.snapshot()];
  for (let index = 0; index < 200; index++) {
    registry.register(tool(`tool_${index % 40}`, { description: `change ${index}` }));
    if (index % 7 === 0) registry.deregister(`tool_${(index * 3) % 40}`);
    held.push(registry.snapshot());
  }
  const expected = new Map<number, string[]>();
  const again = new ToolRegistry();
  const note = (): void => {
    expected.set(again.generation, again.snapshot().entries().map((e) => e.name + e.description));
  };
  note();
  for (let index = 0; index < 200; index++) {
    again.register(tool(`tool_${index % 40}`, { description: `change ${index}` }));
    if (index % 7 === 0) again.deregister(`tool_${(index * 3) % 40}`);
    note();
  }
  // Read in an order that has nothing to do with the order of the changes.
  for (
    const snapshot of held.toSorted((a, b) => (a.generation * 37) % 101 - (b.generation * 37) % 101)
  ) {
    assert.deepEqual(
      snapshot.entries().map((e) => e.name + e.description),
      expected.get(snapshot.generation),
    );
    assert.equal(snapshot.size, expected.get(snapshot.generation)!.length);
  }
});

Deno.test("RegistrySnapshot sorts names, toolsets and entries, and freezes them", () => {
  const registry = new ToolRegistry();
  registry.register(tool("z_tool", { toolset: "zeta" }));
  registry.register(tool("a_tool", { toolset: "alpha" }));
  registry.register(tool("m_tool", { toolset: "alpha" }));
  const snapshot = registry.snapshot();
  assert.deepEqual(snapshot.names(), ["a_tool", "m_tool", "z_tool"]);
  assert.deepEqual(snapshot.toolsets(), ["alpha", "zeta"]);
  assert.deepEqual(snapshot.entries().map((entry) => entry.name), ["a_tool", "m_tool", "z_tool"]);
  assert.equal(snapshot.size, 3);
  assert.equal(snapshot.generation, 3);
  for (const list of [snapshot, snapshot.names(), snapshot.toolsets(), snapshot.entries()]) {
    assert.ok(Object.isFrozen(list));
  }
});

Deno.test("RegistrySnapshot.get() knows no name that every object has", () => {
  const snapshot = new ToolRegistry().snapshot();
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    assert.equal(snapshot.get(name), undefined);
    assert.equal(snapshot.has(name), false);
  }
});

Deno.test("ToolRegistry.snapshot() gives the same object until something visible changes", () => {
  const registry = new ToolRegistry();
  registry.register(tool("alpha"));
  const snapshot = registry.snapshot();
  registry.registerToolsetAlias("words", "text");
  registry.deregister("unknown");
  assert.equal(registry.snapshot(), snapshot);
  registry.register(tool("beta"));
  assert.notEqual(registry.snapshot(), snapshot);
});
