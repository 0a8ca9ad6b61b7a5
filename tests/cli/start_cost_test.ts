import assert from "node:assert/strict";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

/** What is loaded together with a module, without what it loads later. */
async function loadedWith(path: string): Promise<ReadonlySet<string>> {
  const url = new URL(`../../${path}`, import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", url],
    stderr: "null",
  }).output();
  const { modules }: { modules: Module[] } = JSON.parse(new TextDecoder().decode(stdout));
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set([url]);
  for (const specifier of loaded) {
    for (const { code, isDynamic } of known.get(specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  return loaded;
}

// Each built-in module of Node costs the start 10 to 30 ms, a package more.
for (const path of ["cli/main.ts", "cli/list.ts", "cli/explain.ts"]) {
  Deno.test(`${path} loads neither packages nor built-in modules of Node`, async () => {
    const loaded = await loadedWith(path);
    assert.ok(loaded.size > 10, [...loaded].join());
    assert.deepEqual([...loaded].filter((specifier) => !specifier.startsWith("file:")), []);
  });
}

Deno.test("cli/main.ts loads no command, and cli/list.ts no dispatcher and no workers", async () => {
  const names = (loaded: ReadonlySet<string>, part: RegExp) =>
    [...loaded].filter((specifier) => part.test(specifier));
  const main = await loadedWith("cli/main.ts");
  assert.deepEqual(names(main, /\/(registry|workers|edge)\/|\/cli\/(list|call|serve)\.ts$/), []);
  const list = await loadedWith("cli/list.ts");
  assert.deepEqual(names(list, /\/workers\/|\/(dispatcher|freshness|doctor|spill)\.ts$/), []);
});
