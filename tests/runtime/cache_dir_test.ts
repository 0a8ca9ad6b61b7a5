import assert from "node:assert/strict";
import { defaultCacheDir, defaultUserDir } from "../../runtime/cache_dir.ts";

Deno.test("defaultCacheDir() follows each system's custom", () => {
  assert.equal(defaultCacheDir({ HOME: "/home/me" }, "linux"), "/home/me/.cache/cloister");
  assert.equal(defaultCacheDir({ HOME: "/h", XDG_CACHE_HOME: "/x" }, "linux"), "/x/cloister");
  assert.equal(defaultCacheDir({ HOME: "/h", XDG_CACHE_HOME: "x" }, "linux"), "/h/.cache/cloister");
  assert.equal(
    defaultCacheDir({ HOME: "/Users/me" }, "darwin"),
    "/Users/me/Library/Caches/cloister",
  );
  assert.equal(
    defaultCacheDir({ LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" }, "windows"),
    "C:\\Users\\me\\AppData\\Local\\cloister\\cache",
  );
  assert.equal(
    defaultCacheDir({ USERPROFILE: "C:\\Users\\me" }, "windows"),
    "C:\\Users\\me\\AppData\\Local\\cloister\\cache",
  );
  for (const os of ["linux", "darwin", "windows"]) assert.equal(defaultCacheDir({}, os), undefined);
  assert.equal(defaultCacheDir({ HOME: "relative" }, "linux"), undefined);
});

Deno.test("defaultUserDir() follows each system's custom", () => {
  assert.equal(defaultUserDir({ HOME: "/home/me" }, "linux"), "/home/me/.config/cloister");
  assert.equal(defaultUserDir({ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "darwin"), "/x/cloister");
  assert.equal(
    defaultUserDir({ HOME: "/h", XDG_CONFIG_HOME: "x" }, "linux"),
    "/h/.config/cloister",
  );
  assert.equal(
    defaultUserDir({ USERPROFILE: "C:\\Users\\me" }, "windows"),
    "C:\\Users\\me\\AppData\\Roaming\\cloister",
  );
  for (const os of ["linux", "darwin", "windows"]) assert.equal(defaultUserDir({}, os), undefined);
});
