import assert from "node:assert/strict";
import { parse } from "@babel/parser";
import { parseModule } from "../../registry/parse.ts";
import { ParseBudgetError, withParseBudget } from "../../registry/parse_budget.ts";

async function outcome(text: string): Promise<string> {
  const parsed = await parseModule("/root/a.ts", text);
  return parsed.ok ? "ok" : parsed.diagnostic.code;
}

Deno.test("parseModule() [A20] survives 100,000 nested brackets", async () => {
  for (const open of ["[", "(", "{", "`${", "-", "a=>", "a?a:"]) {
    assert.equal(await outcome(open.repeat(100_000)), "too_complex", open);
  }
});

Deno.test("parseModule() ends soon where each level doubles the parser's attempts", async () => {
  const bombs = ["<a>(", "async<a>(", "f<T>(a?", "f<(a=", "<T>(y=", "<T>`${", "<a>(a=async "];
  const started = performance.now();
  for (const bomb of bombs) assert.equal(await outcome(bomb.repeat(60)), "too_complex", bomb);
  assert.ok(performance.now() - started < 15_000);
});

Deno.test("parseModule() reads long flat code of nearly 1 MB", async () => {
  assert.equal(await outcome(`[${"a,".repeat(500_000)}]`), "ok");
  assert.equal(await outcome(`a${".b".repeat(400_000)}`), "ok");
});

Deno.test("parseModule() takes the syntax that Deno takes", async () => {
  for (
    const text of [
      "using a = b; await using c = d;",
      "@decorate class A { accessor x = 1; @m() y() {} }",
      "enum E { A } namespace N { export const a = 1; }",
      'import j from "./j.json" with { type: "json" };',
      "#!/usr/bin/env deno\nlet a = await b;",
      "const f = <T,>(x: T) => x; const g = f<string>; let h = <T>(x: T) => x;",
    ]
  ) assert.equal(await outcome(text), "ok", text);
});

Deno.test("withParseBudget() leaves other users of the parser alone", () => {
  withParseBudget(parse, "a", {});
  const [statement] = parse("abc;", { ranges: true }).program.body;
  assert.deepEqual(statement?.range, [0, 4]);
  assert.ok(Object.keys(statement ?? {}).includes("range"));
  assert.throws(
    () => withParseBudget(parse, "<a>(".repeat(60), { plugins: ["typescript"] }),
    ParseBudgetError,
  );
  assert.deepEqual(parse("abc;", { ranges: true }).program.body[0]?.range, [0, 4]);
});
