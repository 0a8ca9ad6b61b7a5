import assert from "node:assert/strict";
import { join } from "node:path";
import { canServeNames, runModuleWithNames } from "../_dns_server.ts";
import { areNamesSafe } from "../../workers/resolver_probe.ts";

const PATH = Deno.env.get("PATH") ?? "";

Deno.test({
  name: "areNamesSafe() says what name resolution then does",
  ignore: !canServeNames,
  fn: async () => {
    const safe = await areNamesSafe(Deno.execPath(), PATH);
    const module = new URL("./_resolves_mapped.ts", import.meta.url);
    assert.deepEqual(await runModuleWithNames(module), {
      without: ["::ffff:127.0.0.1"],
      with: safe ? [] : ["::ffff:127.0.0.1"],
    });
    assert.equal(safe, true);
  },
});

Deno.test({
  name: "areNamesSafe() says no where the resolver is not told, and for a program that is no Deno",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir({ prefix: "cloister-resolver-" });
    try {
      const deaf = join(folder, "deno");
      const text = `#!/bin/sh\nunset RES_OPTIONS\nexec '${Deno.execPath()}' "$@"\n`;
      await Deno.writeTextFile(deaf, text, { mode: 0o755 });
      assert.equal(await areNamesSafe(deaf, PATH), false);
      assert.equal(await areNamesSafe("false", PATH), false);
      assert.equal(await areNamesSafe(join(folder, "nothing"), PATH), false);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
