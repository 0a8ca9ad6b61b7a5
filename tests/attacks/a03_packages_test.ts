import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { startPool, type TestPool } from "../workers/_pool.ts";
import { type Arena, openArena, succeeded } from "./_arena.ts";

const REFUSED: Readonly<Record<string, number>> = {
  npm_static: 2,
  npm_dynamic: 9,
  jsr_static: 2,
  bare_static: 2,
  other_version: 2,
  // Allowed in another arena, by the operator.
  twin_package: 2,
};
const ALLOWED = { packages: { matcher: "npm:picomatch@4.0.7" } };

// An own, empty cache: whatever is downloaded would be there afterwards.
const cache = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-deno-dir-" }));
let arena: Arena;
let pool: TestPool;

Deno.test.beforeAll(async () => {
  arena = await openArena("a03", { env: { DENO_DIR: cache } });
  pool = await startPool();
});
Deno.test.afterAll(async () => {
  await pool[Symbol.asyncDispose]();
  await arena[Symbol.asyncDispose]();
  await Deno.remove(cache, { recursive: true });
});

function assertNothingDownloaded(): void {
  const isThere = (dir: string): boolean => {
    try {
      return [...Deno.readDirSync(`${cache}/${dir}`)].length > 0;
    } catch {
      return false;
    }
  };
  // Packages are kept in the first, modules in the others.
  for (const dir of ["npm", "remote", "deps"]) assert.ok(!isThere(dir), `${dir} is not empty`);
}

for (const [name, line] of Object.entries(REFUSED)) {
  Deno.test(`attack [A3] ${name}, at discovery: contained`, async () => {
    const { status, diagnostics } = arena.report(`${name}.ts`);
    assert.equal(status, "failed");
    const finding = diagnostics.find(({ code }) => code === "package_not_allowed");
    assert.equal(finding?.line, line);
    await arena.contain(name, {}, { code: "unknown_tool" });
    assertNothingDownloaded();
  });
}

for (
  const name of ["npm:left-pad@1.3.0", "npm:picomatch@4.0.7", "jsr:@std/path@1.0.8", "matcher"]
) {
  Deno.test(`attack [A3] ${name}, hidden from discovery: contained`, async () => {
    await arena.contain("hidden_package", { name }, { code: ["tool_error", "permission_denied"] });
    assertNothingDownloaded();
  });
}

for (const name of ["npm_static", "npm_dynamic", "jsr_static", "bare_static"]) {
  Deno.test(`attack [A3] ${name}, with discovery bypassed: contained`, async () => {
    const file = `${arena.root}/${name}.ts`;
    const outcome = await pool.pool.run(
      pool.request(pathToFileURL(file).href, name, { grants: { read: [file] } }),
    );
    assert.ok(!outcome.ok);
    assert.match(
      outcome.message,
      /--cached-only|Requires import access|not in cache|not a dependency/,
    );
  });
}

Deno.test("attack [A3] twin a package that the operator allows", async () => {
  await using allowing = await openArena("a03", { config: ALLOWED });
  assert.equal(allowing.report("twin_package.ts").status, "registered");
  const result = succeeded(await allowing.call("twin_package"));
  assert.deepEqual(result.structured, { matches: true });
});
