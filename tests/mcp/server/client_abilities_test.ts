import assert from "node:assert/strict";
import { canAsk, capabilitiesFor } from "../../../mcp/server/client_abilities.ts";

Deno.test("canAsk() takes a bare elicitation for forms, and one of URLs alone for none", () => {
  assert.equal(canAsk({ elicitation: {} }, "elicitation/create"), true);
  assert.equal(canAsk({ elicitation: { form: {} } }, "elicitation/create"), true);
  assert.equal(canAsk({ elicitation: { form: {}, url: {} } }, "elicitation/create"), true);
  assert.equal(canAsk({ elicitation: { url: {} } }, "elicitation/create"), false);
  assert.equal(canAsk({ sampling: {} }, "elicitation/create"), false);
  assert.equal(canAsk({ sampling: {} }, "sampling/createMessage"), true);
  assert.equal(canAsk({ roots: {} }, "roots/list"), true);
  assert.equal(canAsk({}, "roots/list"), false);
  assert.equal(canAsk(undefined, "sampling/createMessage"), false);
});

Deno.test("capabilitiesFor() names what is missing", () => {
  assert.deepEqual(capabilitiesFor(["sampling/createMessage", "elicitation/create"]), {
    sampling: {},
    elicitation: { form: {} },
  });
});
