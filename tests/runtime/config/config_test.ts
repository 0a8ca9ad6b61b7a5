import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import type { JsonObject } from "../../../core/json.ts";
import { ceilingsFor, loadConfig, type LoadedConfig } from "../../../runtime/config.ts";
import { configSchemaText } from "../../../scripts/generate_config_schema.ts";

async function loadText(text: string): Promise<LoadedConfig> {
  const dir = await Deno.makeTempDir({ prefix: "cloister_config_" });
  try {
    const path = join(dir, "cloister.json");
    await Deno.writeTextFile(path, text);
    return await loadConfig(path);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

const FULL = `// comments are fine
{
  "$schema": "./cloister.schema.json",
  "toolsets": { "mine": { "description": "d", "tools": ["read_file"], "includes": ["web"] } },
  "enabledToolsets": ["mine"],
  "disabledToolsets": [],
  "plugins": [{ "id": "acme/tools", "path": "./acme", "allowToolOverride": true,
    "permissions": { "deny": { "run": ["sh"] } } }],
  "permissions": {
    "tools": { "web_extract": { "allow": { "net": ["example.com"] }, "deny": { "read": ["/etc"] } } },
    "toolsets": { "web": { "allow": { "run": false } } },
    "owners": { "user": {}, "plugin:acme": { "allow": { "env": [] } } },
  },
  "isolation": { "default": "process", "inProcess": ["read_file"] },
  "limits": { "timeoutMs": 1000, "maxResultSizeChars": "unlimited", "queue": 0 },
  "mcpServers": { "fs": { "command": "npx", "args": ["-y", "x"], "env": { "A": "b" } } },
  "model": { "name": "m" },
  "approval": { "default": "ask", "tools": { "read_file": "allow" }, "timeoutMs": 1000 },
  "tools": { "web_extract": { "maxBytes": 5 } },
  "packages": { "zod": "npm:zod@4.6.7" },
}`;

Deno.test("loadConfig() reads everything, comments and trailing commas included, frozen", async () => {
  const { config, diagnostics } = await loadText(FULL);
  assert.deepEqual(diagnostics, []);
  assert.equal(config.isolation?.default, "process");
  assert.deepEqual(config.tools?.web_extract, { maxBytes: 5 });
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.tools?.web_extract));
});

Deno.test("loadConfig() gives line, column and a suggestion for unknown keys", async () => {
  const { config, diagnostics } = await loadText(
    '{\n  "limits": { "timeoutMS": 5 },\n  "enabledToolset": []\n}\n',
  );
  assert.deepEqual(config, {});
  assert.deepEqual(places(diagnostics).toSorted(), [
    "2:15 config_unknown_key",
    "3:3 config_unknown_key",
  ]);
  const hints = diagnostics.map(({ hint }) => hint).toSorted();
  assert.deepEqual(hints, ['Did you mean "enabledToolsets"?', 'Did you mean "timeoutMs"?']);
  const deep = await loadText('{"permissions":{"tools":{"x":{"allow":{"reed":[]}}}}}');
  assert.equal(deep.diagnostics[0]!.hint, 'Did you mean "read"?');
});

Deno.test("loadConfig() gives the place of wrong values", async () => {
  const { diagnostics } = await loadText(
    '{\n  "limits": {\n    "memoryMb": "512"\n  },\n  "plugins": [\n    { "id": "Acme" }\n  ]\n}',
  );
  assert.deepEqual(places(diagnostics), [
    "3:17 config_value",
    "6:5 config_value",
    "6:13 config_value",
  ]);
  assert.match(diagnostics[0]!.message, /^"limits\.memoryMb": .*expected number/);
  const everything = await loadText('{"permissions":{"tools":{"x":{"allow":{"read":true}}}}}');
  assert.deepEqual(places(everything.diagnostics), ["1:47 config_value"]);
  const imports = await loadText('{"permissions":{"tools":{"x":{"allow":{"import":["a"]}}}}}');
  assert.equal(imports.diagnostics.length, 1);
  const owner = await loadText('{"permissions":{"owners":{"everybody":{}}}}');
  assert.deepEqual(places(owner.diagnostics), ["1:27 config_value"]);
});

Deno.test("loadConfig() gives the place of syntax errors and repeated keys", async () => {
  const broken = await loadText('{\n  "limits": {,\n}');
  assert.equal(broken.diagnostics[0]!.code, "config_syntax");
  assert.equal(broken.diagnostics[0]!.line, 2);
  const twice = await loadText('{\n  "model": {},\n  "model": {}\n}');
  assert.deepEqual(places(twice.diagnostics), ["3:3 config_duplicate_key"]);
  assert.equal((await loadText("")).diagnostics.length, 1);
  assert.equal((await loadText("[]")).diagnostics.length, 1);
  assert.deepEqual((await loadText("\uFEFF{}")).diagnostics, []);
});

Deno.test("loadConfig() tells a missing file from an optional one", async () => {
  const path = join(Deno.cwd(), "no", "such", "cloister.json");
  assert.match((await loadConfig(path)).diagnostics[0]!.message, /does not exist/);
  assert.deepEqual(await loadConfig(path, { optional: true }), { config: {}, diagnostics: [] });
});

Deno.test("loadConfig() checks an object like a file and leaves it alone", async () => {
  const object = { limits: { timeoutMs: 5 } };
  const { config } = await loadConfig(object);
  assert.deepEqual(config, object);
  assert.ok(!Object.isFrozen(object));
  const bad = await loadConfig({ limit: {} });
  assert.deepEqual(places(bad.diagnostics), ["1:1 config_unknown_key"]);
});

Deno.test("loadConfig() never throws for any JSON", async () => {
  const key = fc.constantFrom(
    "tools",
    "permissions",
    "plugins",
    "limits",
    "toolsets",
    "x",
    "__proto__",
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), async (value) => {
      const loaded = await loadConfig(JSON.parse(JSON.stringify(value)) as JsonObject);
      for (const { line, column } of loaded.diagnostics) assert.ok(line >= 1 && column >= 1);
    }),
  );
});

Deno.test("ceilingsFor() collects what speaks of a tool, prefixes ending at /", async () => {
  const { config } = await loadText(FULL);
  const sources = (name: string, toolset: string, owner: string) =>
    ceilingsFor(config, { name, toolset, owner: owner as "user" }).map(({ source }) => source);
  assert.deepEqual(sources("web_extract", "web", "user"), [
    "permissions.tools.web_extract",
    "permissions.toolsets.web",
    "permissions.owners.user",
  ]);
  assert.deepEqual(sources("x", "y", "plugin:acme/tools"), [
    "permissions.owners.plugin:acme",
    "plugins.acme/tools.permissions",
  ]);
  assert.deepEqual(sources("x", "y", "plugin:acme-evil"), []);
  assert.deepEqual(sources("constructor", "toString", "builtin"), []);
});

Deno.test("cloister.schema.json is what the generator writes", () => {
  const file = new URL("../../../cloister.schema.json", import.meta.url);
  assert.equal(readFileSync(file, "utf8"), configSchemaText());
});

Deno.test("loadConfig() refuses approval rules that would allow by a slip", async () => {
  const faults = async (approval: string) =>
    (await loadText(`{ "approval": ${approval} }`)).diagnostics.map(({ code, hint }) =>
      hint ?? code
    );
  assert.deepEqual(await faults('{ "default": "Ask" }'), ["config_value"]);
  assert.deepEqual(await faults('{ "tools": { "terminal": true } }'), ["config_value"]);
  assert.deepEqual(await faults('{ "dangerousCommand": "deny" }'), [
    'Did you mean "dangerousCommands"?',
  ]);
  assert.deepEqual(await faults('{ "annotations": { "destructive": "ask" } }'), [
    'Did you mean "destructiveHint"?',
  ]);
  assert.deepEqual(await faults('{ "timeoutMs": 0 }'), ["config_value"]);
});
