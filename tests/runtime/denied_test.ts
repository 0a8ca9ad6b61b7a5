import assert from "node:assert/strict";
import type { Permissions } from "../../core/permissions.ts";
import type { ToolEntry } from "../../core/entry.ts";
import { createModuleEntry } from "../../registry/entry.ts";
import { explainDenied } from "../../runtime/denied.ts";

function entry(
  permissions: Permissions,
  place: object = { path: "/tools/a.ts", line: 3 },
): ToolEntry {
  return createModuleEntry(
    {
      name: "alpha",
      toolset: "text",
      description: "A tool.",
      schema: { type: "object" },
      permissions,
    },
    {
      owner: "user",
      handler: {
        kind: "module",
        url: "file:///s/a.ts",
        integrity: "i",
        export: "alpha",
        folder: "/store",
      },
      source: { kind: "file", ...place },
    },
  );
}

const PROMPT = "Requires read access";

Deno.test("explainDenied() names what was asked for, what is declared, and the line to change", () => {
  const explained = explainDenied(entry({}), { kind: "read", what: "/etc/hosts" }, PROMPT);
  assert.deepEqual(explained, {
    message:
      'Tool "alpha" asked for read access to "/etc/hosts", but it declares no read permission ' +
      '(/tools/a.ts:3). To allow it, change its registration to permissions: { read: ["/etc/hosts"] }, ' +
      "unless the operator's ceiling forbids it",
    details: { kind: "read", what: "/etc/hosts", declared: [] },
  });
});

Deno.test("explainDenied() shows the declaration that was not enough", () => {
  const denied = { kind: "net", what: "b.example:443" };
  const { message, details } = explainDenied(entry({ net: ["a.example"] }), denied, PROMPT);
  assert.match(message, /but it declares net: \["a\.example"\] \(\/tools\/a\.ts:3\)\./);
  assert.deepEqual(details, { ...denied, declared: ["a.example"] });
});

Deno.test("explainDenied() does without what it does not know", () => {
  const { message, details } = explainDenied(entry({ env: false }, {}), { kind: "env" }, PROMPT);
  assert.equal(
    message,
    'Tool "alpha" asked for env access, but it declares no env permission. To allow it, change its ' +
      'registration to permissions: { env: ["…"] }, unless the operator\'s ceiling forbids it',
  );
  assert.deepEqual(details, { kind: "env", declared: [] });
});

Deno.test("explainDenied() offers no declaration for what no declaration can open", () => {
  const advice = (kind: string, original: string) =>
    explainDenied(entry({}), { kind, what: "x" }, original).message;
  assert.match(advice("import", PROMPT), /Tools cannot import code from the network$/);
  assert.match(
    advice("net", 'Requires net access to "127.0.0.1", denied by --deny-net'),
    /The operator's settings keep it closed$/,
  );
});
