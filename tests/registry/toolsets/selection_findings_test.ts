import assert from "node:assert/strict";
import {
  selectionFindings,
  toolsetFindings,
} from "../../../registry/toolsets/selection_findings.ts";
import { SHIPPED, toolsets } from "./_support.ts";

Deno.test("selectionFindings() names what nothing has, with near names", () => {
  const { catalogue, table } = toolsets(SHIPPED);
  table.registerToolsetAlias("docs", "mcp-docs");
  const findings = selectionFindings(
    {
      toolsets: ["fiel", "file", "web_tools", "docs", "all", "*", "zzzzzzzz"],
      disabledToolsets: ["terminl", "hermes-cli"],
      names: ["read_fil", "patch"],
    },
    catalogue,
    table.snapshot(),
  );
  assert.deepEqual(findings.map(({ code, path, name }) => [code, path.join("."), name]), [
    ["unknown_toolset", "toolsets", "fiel"],
    ["unknown_toolset", "toolsets", "zzzzzzzz"],
    ["unknown_toolset", "disabledToolsets", "terminl"],
    ["bundle_keeps_core", "disabledToolsets", "hermes-cli"],
    ["unknown_tool", "names", "read_fil"],
  ]);
  assert.equal(findings[0]!.message, 'Unknown toolset "fiel" in "toolsets"');
  assert.equal(findings[0]!.hint, 'Did you mean "file"?');
  assert.equal(findings[1]!.hint, undefined);
  assert.equal(findings[4]!.hint, 'Did you mean "read_file"?');
});

Deno.test("toolsetFindings() names what the operator's toolsets list and nothing has", () => {
  const { catalogue, table } = toolsets(SHIPPED, {
    good: { tools: ["patch"], includes: ["web", "bad"] },
    bad: { tools: ["pach"], includes: ["webb"] },
  });
  const findings = toolsetFindings(catalogue, table.snapshot());
  assert.deepEqual(findings.map(({ path, message, hint }) => [path.join("."), message, hint]), [
    ["toolsets.bad.tools", 'Unknown tool "pach" in "toolsets.bad.tools"', 'Did you mean "patch"?'],
    [
      "toolsets.bad.includes",
      'Unknown toolset "webb" in "toolsets.bad.includes"',
      'Did you mean "web"?',
    ],
  ]);
});
