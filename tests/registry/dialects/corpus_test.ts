import assert from "node:assert/strict";
import type { JsonSchema } from "../../../core/json.ts";
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { DIALECTS } from "../../../registry/dialects/dialect_names.ts";
import { projectSchema } from "../../../registry/dialects/project_schema.ts";
import { makeDefinitions } from "../../../runtime/definitions.ts";
import { ToolSelector } from "../../../runtime/tool_selector.ts";
import { readCorpus } from "../../_corpus.ts";
import { search, seeded } from "./_sampling.ts";

interface CorpusFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

const SIZE = 1976;
const TRIES = 12;
const { records: corpus, ignore } = await readCorpus<CorpusFunction>("functions.jsonl");
if (!ignore) assert.equal(corpus.length, SIZE);

for (const dialect of DIALECTS) {
  Deno.test({
    name: `projectSchema() writes each real schema for ${dialect}, and reports what that loses`,
    ignore,
    fn() {
      const random = seeded(20_261_130);
      let lossy = 0, losses = 0, accepted = 0;
      for (const { name, parameters } of corpus) {
        const projection = projectSchema(parameters, dialect);
        assert.ok(projection.ok, `${name}: ${projection.ok || projection.reason}`);
        if (projection.losses.length > 0) lossy++;
        losses += projection.losses.length;
        const found = search(parameters, projection.schema, projection.losses, {
          random,
          tries: TRIES,
        });
        accepted += found.accepted;
        assert.equal(found.unreported, undefined, `${name}: ${JSON.stringify(found.unreported)}`);
        if (dialect === "mcp") assert.equal(projection.schema, parameters);
      }
      console.log(`${dialect}: ${lossy} of ${SIZE} lose ${losses} things, ${accepted} samples`);
      assert.ok(accepted > SIZE * TRIES / 2, "too few samples were accepted to show anything");
      if (dialect === "mcp") assert.equal(losses, 0);
      if (dialect === "openai") assert.ok(lossy <= SIZE * 0.02, `${lossy} lose something`);
    },
  });
}

Deno.test({
  name:
    "makeDefinitions() gives each real function a name that leads back to it, the same each time",
  ignore,
  async fn() {
    const registry = new ToolRegistry();
    const known = new Set<string>();
    registry.update((draft) => {
      for (const { name, description, parameters } of corpus) {
        if (known.has(name)) continue;
        known.add(name);
        draft.register({
          name,
          toolset: "bfcl",
          description,
          schema: parameters,
          handler: () => "",
        });
      }
    });
    const all = registry.getAllToolNames();
    // Some of the corpus spell one name in two ways, of which the table takes one.
    assert.ok(all.length > 1_200, `${all.length}`);
    const selection = new ToolSelector(registry, {}).configured;
    const judge = () => ({ available: true });
    for (const dialect of DIALECTS) {
      const longest = dialect === "mcp" ? 45 : 64;
      const { tools, names, omitted } = await makeDefinitions(
        { snapshot: registry.snapshot(), selection, judge },
        dialect,
      );
      assert.deepEqual(omitted, []);
      assert.deepEqual([...names.values()].toSorted(), all);
      assert.deepEqual(
        [...names.keys()],
        tools.map((one) => "function" in one ? one.function.name : one.name),
      );
      for (const name of names.keys()) {
        assert.ok(/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) && name.length <= longest, name);
      }
      // A selection of one tool gives it the same name.
      const [provider, name] = [...names].find(([key, value]) => key !== value)!;
      const few = new ToolSelector(registry, {}).configured.narrowed("the test", { names: [name] });
      const one = await makeDefinitions(
        { snapshot: registry.snapshot(), selection: few, judge },
        dialect,
      );
      assert.deepEqual([...one.names], [[provider, name]]);
    }
  },
});
