import assert from "node:assert/strict";
import { REQUIREMENTS } from "./requirements.ts";

const TITLE = /Deno\.test\(\s*(?:\{\s*name:\s*)?(["'`])([^\n]*?)\1/g;
const CASES = /\[cases? ([^\]]+)\]/g;

/** The numbers of a text such as `10, 11, 17 and 29` or `21 to 24`. */
function numbersIn(text: string): number[] {
  const range = /^(\d+) (?:to|-) (\d+)$/.exec(text.trim());
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  }
  return text.split(/,| and /).flatMap((part) => /\d/.test(part) ? [Number(part.trim())] : []);
}

function* testFiles(dir: URL): Generator<URL> {
  for (const entry of Deno.readDirSync(dir)) {
    const url = new URL(entry.isDirectory ? `${entry.name}/` : entry.name, dir);
    if (entry.isDirectory && entry.name !== "fixtures") yield* testFiles(url);
    else if (entry.name.endsWith("_test.ts")) yield url;
  }
}

function citedCases(): Set<number> {
  const cited = new Set<number>();
  for (const file of testFiles(new URL("./", import.meta.url))) {
    const text = Deno.readTextFileSync(file);
    for (const [, , title] of text.matchAll(TITLE)) {
      for (const [, list] of title!.matchAll(CASES)) {
        numbersIn(list!).forEach((id) => cited.add(id));
      }
    }
  }
  return cited;
}

Deno.test("numbersIn() reads lists and ranges", () => {
  assert.deepEqual(numbersIn("33"), [33]);
  assert.deepEqual(numbersIn("10, 11, 17 and 29"), [10, 11, 17, 29]);
  assert.deepEqual(numbersIn("21 to 24"), [21, 22, 23, 24]);
});

Deno.test("REQUIREMENTS holds the cases 1 to 118, each once", () => {
  const wanted = Array.from({ length: 118 }, (_, index) => index + 1);
  assert.deepEqual(REQUIREMENTS.map(({ id }) => id), wanted);
});

Deno.test("every requirement that applies is held by a test that carries its number", () => {
  const cited = citedCases();
  const missing = REQUIREMENTS.filter(({ id, notApplicable }) =>
    notApplicable === undefined && !cited.has(id)
  );
  assert.deepEqual(missing.map(({ id, behaviour }) => `${id}: ${behaviour}`), []);
});

Deno.test("no test carries the number of a requirement that does not apply", () => {
  const cited = citedCases();
  const wrong = REQUIREMENTS.filter(({ id, notApplicable }) =>
    notApplicable !== undefined && cited.has(id)
  );
  assert.deepEqual(wrong.map(({ id }) => id), []);
});
