import assert from "node:assert/strict";
import { SECRET, shareArena, succeeded } from "./_arena.ts";

const arena = shareArena("a05", {
  prepare: ({ workspace, outside }) => {
    Deno.symlinkSync(`${outside}/secret.txt`, `${workspace}/link.txt`);
    Deno.symlinkSync(outside, `${workspace}/folder`);
    Deno.symlinkSync("../out/secret.txt", `${workspace}/relative.txt`);
    Deno.symlinkSync("link.txt", `${workspace}/twice.txt`);
    Deno.symlinkSync(`${outside}/new.txt`, `${workspace}/broken.txt`);
    Deno.symlinkSync("mine.txt", `${workspace}/fine.txt`);
    Deno.mkdirSync(`${workspace}-evil`);
    Deno.writeTextFileSync(`${workspace}-evil/secret.txt`, SECRET);
  },
});

function target(): { inside: string; file: string } {
  const { workspace, outside } = arena();
  return { inside: workspace, file: `${outside}/secret.txt` };
}

const DENIED = [
  "parent",
  "parent of a missing folder",
  "many parents",
  "absolute",
  "double slashes",
  "dots",
  "trailing slash",
  "file URL",
  "fullwidth slash",
  "upper case",
  "other normal form",
  "prefix of the name",
  "/proc/self/root",
  "/proc/self/cwd",
];
// They name nothing that exists, inside the workspace.
const NOT_FOUND = ["escaped parent", "fullwidth dots", "NUL byte"];

for (const tool of ["read_path", "write_path"]) {
  Deno.test(`attack [A5] paths that lead outside, by ${tool}: contained`, async () => {
    for (const way of DENIED) {
      await arena().contain(tool, { way, ...target() }, { code: "permission_denied" });
    }
    for (const way of NOT_FOUND) {
      await arena().contain(tool, { way, ...target() }, { code: "tool_error" });
    }
  });
}

const MADE = [
  "Deno.symlinkSync",
  "node:fs.symlinkSync",
  "Deno.linkSync",
  "node:fs.linkSync",
  "Deno.renameSync",
  "Deno.copyFileSync",
  "node:fs.cpSync",
  "Deno.chdir",
];

for (const way of MADE) {
  Deno.test(`attack [A5] ${way} towards the outside at run time: contained`, async () => {
    await arena().contain("make_path", { way, ...target() }, { code: "permission_denied" });
  });
}

const OUT = [
  "../out/secret.txt",
  "missing/../../out/secret.txt",
  "link.txt",
  "folder/secret.txt",
  "folder/missing.txt",
  "relative.txt",
  "twice.txt",
  "broken.txt",
  "mine.txt\0",
];

Deno.test("attack [A5] paths and links by context.resolve(): contained", async () => {
  for (const path of [...OUT, target().file]) {
    await arena().contain("resolve_path", { path }, {
      code: "tool_error",
      says: /Cannot resolve path/,
    });
  }
});

Deno.test("attack [A5] paths and links by an argument that decides the grant: contained", async () => {
  for (const path of [...OUT, target().file]) {
    await arena().contain("argument_path", { path }, {
      code: "permission_denied",
      says: /Argument "path": the path/,
    });
  }
});

Deno.test("attack [A5] a grant whose own path is a link: contained", async () => {
  for (const path of [target().file, `${target().inside}/folder/secret.txt`]) {
    await arena().contain("through_link", { path }, { code: "unavailable", says: /leads to/ });
  }
});

Deno.test("attack [A5] twin paths and links that stay inside", async () => {
  for (const path of ["mine.txt", "./a/../mine.txt", `${target().inside}/mine.txt`, "fine.txt"]) {
    assert.equal(succeeded(await arena().call("resolve_path", { path })).content, "inside");
  }
  const argument = await arena().call("argument_path", { path: "mine.txt" });
  assert.equal(succeeded(argument).content, "inside");
});

// A limit of Deno that the documentation tells: whoever puts a link into a granted folder extends the grant.
Deno.test("limit [A5] the Deno API follows a link that already stands in a granted folder", async () => {
  const result = await arena().call("read_path", { way: "symbolic link", ...target() });
  assert.equal(succeeded(result).content, SECRET);
});

// A limit of Deno that the documentation tells: a relative link leads elsewhere once it is moved, and moving it is
// writing inside the grant.
Deno.test("limit [A5] a relative link that leads inside leads outside after it was moved one folder up", async () => {
  const { workspace, outside } = arena();
  Deno.mkdirSync(`${workspace}/d1/d2`, { recursive: true });
  Deno.mkdirSync(`${workspace}/out`, { recursive: true });
  Deno.symlinkSync("../../out", `${workspace}/d1/d2/link`);
  assert.throws(() => Deno.statSync(`${workspace}/d1/d2/link/secret.txt`), Deno.errors.NotFound);
  const result = await arena().call("read_moved", { from: "d1/d2/link", to: "d1/link" });
  assert.equal(succeeded(result).content, SECRET);
  assert.equal(Deno.realPathSync(`${workspace}/d1/link`), outside);
});

Deno.test("attack [A5] context.resolve() of a relative link that was moved: contained", async () => {
  const path = "d1/link/secret.txt";
  await arena().contain("resolve_path", { path }, { code: "tool_error", says: /leads out of/ });
});
