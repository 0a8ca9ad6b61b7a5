import assert from "node:assert/strict";
import { type PlaceSources, ProtectedPlaces, settingsIn } from "../../runtime/protected_places.ts";

function places(more: Partial<PlaceSources> = {}): ProtectedPlaces {
  return new ProtectedPlaces({
    workspace: "/w",
    toolFolders: ["/w/tools", "/w/packages/a/tools"],
    settings: settingsIn(["/w"]),
    packageFolder: "/w/vendor/cloister",
    own: ["/home/me/.cache/cloister"],
    home: "/home/me",
    editTools: false,
    ...more,
  });
}

Deno.test("ProtectedPlaces.denials() gives what lies in a grant, and a folder above it that could be renamed", () => {
  assert.deepEqual(places().denials(["/w"]), [
    "/w/.git",
    "/w/cloister.json",
    "/w/mcp.lock",
    "/w/packages/a/tools",
    "/w/tools",
    "/w/tools.lock",
    "/w/vendor",
  ]);
  assert.deepEqual(places().denials(["/w/packages", "/w/docs"]), ["/w/packages/a/tools"]);
  assert.deepEqual(places().denials(["/w/tool", "/other"]), []);
});

Deno.test("ProtectedPlaces.denials() leaves tool folders to an agent that is meant to write tools", () => {
  assert.deepEqual(places({ editTools: true }).denials(["/w/packages", "/w/tools"]), []);
  assert.deepEqual(places({ editTools: true }).denials(["/w/cloister.json"]), ["/w/cloister.json"]);
});

Deno.test("ProtectedPlaces.denials() keeps a workspace that is itself a tool folder, or lies in one, usable", () => {
  for (const root of ["/w", "/"]) {
    const { denials, refusals } = pick(places({ toolFolders: [root] }));
    assert.ok(!denials(["/w"]).includes(root));
    assert.deepEqual(refusals(["/w"], []), []);
  }
  const config = places({ workspace: "/home/me/.config/app" });
  assert.deepEqual(config.refusals(["/home/me/.config/app"], []), []);
});

function pick(list: ProtectedPlaces): Pick<ProtectedPlaces, "denials" | "refusals"> {
  return {
    denials: (write) => list.denials(write),
    refusals: (write, own) => list.refusals(write, own),
  };
}

Deno.test("ProtectedPlaces.refusals() refuses a grant in a place, but not of a tool's own folder", () => {
  const list = places();
  assert.match(
    list.refusals(["/w/tools/a"], [])[0]!,
    /^write "\/w\/tools\/a" is a folder with tool/,
  );
  const own = "/home/me/.cache/cloister/data/x";
  assert.deepEqual(list.refusals([own], [own]), []);
  assert.match(list.refusals([own], [])[0]!, /a folder of Cloister's or Deno's own/);
  assert.match(list.refusals([own, "/home/me"], [own])[0]!, /lies in "\/home\/me\/\.cache"/);
});

Deno.test("ProtectedPlaces.closedBecause() names the place, and how to open it if it can be", () => {
  const list = places();
  assert.match(
    list.closedBecause("/w/tools/x.ts", ["/w"])!,
    /is a folder with tool files.*--edit-tools$/,
  );
  assert.match(
    list.closedBecause("/w/vendor/other/x", ["/w"])!,
    /lies in "\/w\/vendor", which holds "\/w\/vendor\/cloister\/cli": that is the code of Cloister/,
  );
  assert.equal(list.closedBecause("/w/src/x", ["/w"]), undefined);
});

Deno.test("ProtectedPlaces names a place with a link in its path twice: the link could be replaced", () => {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-places-" }));
  try {
    Deno.mkdirSync(`${base}/real`);
    Deno.mkdirSync(`${base}/w`);
    Deno.symlinkSync(`${base}/real`, `${base}/w/tools`);
    const list = places({ workspace: `${base}/w`, toolFolders: [`${base}/w/tools`], settings: [] });
    assert.deepEqual(list.denials([`${base}/w`]), [`${base}/w/.git`, `${base}/w/tools`]);
    assert.deepEqual(list.denials([base]), [`${base}/real`, `${base}/w`, `${base}/w/tools`]);
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
});
