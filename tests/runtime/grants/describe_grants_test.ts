import assert from "node:assert/strict";
import { NO_GRANTS } from "../../../core/permissions.ts";
import { denoFlags, describeGrants } from "../../../runtime/grants/mod.ts";

const GRANTS = { ...NO_GRANTS, read: ["/a", "/b"], net: ["x.example:443"], run: ["/bin/sh"] };

Deno.test("describeGrants() writes one --allow word a kind, arguments included", () => {
  const argumentGrants = [{ kind: "net", argument: "url" }] as const;
  assert.deepEqual(describeGrants({ grants: GRANTS, argumentGrants }), [
    "--allow-read=/a,/b",
    "--allow-net=x.example:443,$ARG.url",
    "--allow-run=/bin/sh",
  ]);
  assert.deepEqual(describeGrants({ grants: NO_GRANTS, argumentGrants: [] }), []);
});

Deno.test("denoFlags() never writes a flag without a value, and closes addresses only with net", () => {
  assert.deepEqual(denoFlags(NO_GRANTS, ["10.0.0.0/8"]), []);
  assert.deepEqual(denoFlags(GRANTS, ["10.0.0.0/8", "[::1]"]).slice(-1), [
    "--deny-net=10.0.0.0/8,[::1]",
  ]);
});

Deno.test("denoFlags() refuses a grant that Deno would split", () => {
  assert.throws(() => denoFlags({ ...NO_GRANTS, read: ["/a,/"] }), /without a comma/);
  assert.throws(() => denoFlags({ ...NO_GRANTS, read: [""] }), RangeError);
});

Deno.test("denoFlags() writes flags that Deno accepts, split ranges included", async () => {
  const denyNet = ["127.128.0.0/9", "127.0.0.2/31", "127.0.0.0", "[::]"];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...denoFlags(GRANTS, denyNet), "data:text/javascript,1"],
    stdout: "null",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
});
