import fc from "fast-check";
import assert from "node:assert/strict";
import nodePath from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as ours from "../../runtime/paths.ts";

const part = fc.constantFrom("", ".", "..", "a", "bc", "...", ".x", "ü", "a b", "C:", "\\");
const path = fc.tuple(fc.constantFrom("", "/", "//"), fc.array(part, { maxLength: 7 }))
  .map(([root, parts]) => root + parts.join("/"));

Deno.test("join() and resolve() do what node:path does", () => {
  fc.assert(fc.property(fc.array(path, { maxLength: 4 }), (parts) => {
    assert.equal(ours.join(...parts), nodePath.join(...parts));
    assert.equal(ours.resolve(...parts), nodePath.resolve(...parts));
  }));
});

Deno.test("dirname(), basename() and isAbsolute() do what node:path does", () => {
  fc.assert(fc.property(path, (one) => {
    assert.equal(ours.dirname(one), nodePath.dirname(one));
    assert.equal(ours.basename(one), nodePath.basename(one));
    assert.equal(ours.isAbsolute(one), nodePath.isAbsolute(one));
  }));
});

Deno.test("relative() does what node:path does", () => {
  fc.assert(fc.property(path, path, (from, to) => {
    assert.equal(ours.relative(from, to), nodePath.relative(from, to));
  }));
  assert.equal(ours.relative("/a/b", "/a/c/d"), "../c/d");
  assert.equal(ours.relative("/a", "/a"), "");
});

Deno.test("sep and delimiter are those of node:path", () => {
  assert.deepEqual([ours.sep, ours.delimiter], [nodePath.sep, nodePath.delimiter]);
});

Deno.test("fromFileUrl() gives back the path of a URL and refuses others", () => {
  for (const name of ["/a/b.ts", "/a b/ü%.ts", "/tmp/#?x", "/a/"]) {
    const file = nodePath.resolve(name) + (name.endsWith("/") ? nodePath.sep : "");
    const url = pathToFileURL(file);
    assert.equal(ours.fromFileUrl(url), fileURLToPath(url));
    assert.equal(ours.fromFileUrl(url), file);
  }
  for (const url of ["https://example.com/a", "file:///a%2Fb"]) {
    assert.throws(() => ours.fromFileUrl(new URL(url)), TypeError);
  }
});
