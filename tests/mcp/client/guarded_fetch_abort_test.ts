import { rejects, strictEqual } from "node:assert/strict";
import { createGuardedFetch } from "../../../mcp/client/guarded_fetch.ts";

Deno.test("createGuardedFetch() ends a stream that is being read when its request is aborted", async () => {
  const gone = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: one\n\n")),
      cancel: () => gone.resolve(),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  });
  const controller = new AbortController();
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const response = await createGuardedFetch()(url, { signal: controller.signal });
  const reader = response.body!.getReader();
  strictEqual(new TextDecoder().decode((await reader.read()).value), "data: one\n\n");
  const next = rejects(reader.read(), { name: "AbortError" });
  controller.abort();
  await next;
  await gone.promise;
});
