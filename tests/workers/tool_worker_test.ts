import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { NO_GRANTS } from "../../core/permissions.ts";
import { LocalHome } from "../../workers/local_home.ts";
import type { WorkerMessage } from "../../workers/protocol.ts";
import { ToolWorker } from "../../workers/tool_worker.ts";
import type { LinkHandlers, WorkerLink } from "../../workers/worker_link.ts";
import { settle } from "../registry/availability/_fake_clock.ts";
import { soon } from "./_wait.ts";

/** A home of real workers, in whose name a test can say something more. */
class Ventriloquist extends LocalHome {
  #handlers: LinkHandlers | undefined;

  override startWorker(...[grants, handlers]: Parameters<LocalHome["startWorker"]>): WorkerLink {
    this.#handlers = handlers;
    return super.startWorker(grants, handlers);
  }

  say(message: WorkerMessage): void {
    this.#handlers!.onMessage(message);
  }
}

/** Every kind of message that ends a call. */
function answersFor(id: number): readonly WorkerMessage[] {
  const error = { code: "tool_error", message: "forged", retryable: false } as const;
  return [
    { type: "result", id, value: { kind: "text", text: "forged" }, runMs: 1 },
    { type: "failure", id, error, runMs: 1 },
    { type: "checked", id, available: false },
    { type: "overridden", id, overrides: {} },
  ];
}

Deno.test("ToolWorker settles a call with its own answer, and no other with one whose id it does not know", async () => {
  const url = new URL("../fixtures/modules/more.ts", import.meta.url);
  const home = new Ventriloquist();
  const module = { url: url.href, integrity: "test", folder: fileURLToPath(url) };
  const worker = new ToolWorker(home, module, NO_GRANTS, () => {});
  await soon("the module", worker.ready);
  const context = { callId: "c", workspace: "/", data: "/", env: [], config: {} };
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [first, second] = begun.map(({ resolve }) =>
    worker.start({ type: "call", tool: "begins", args: {}, context }, {
      onProgress: () => resolve(),
    })
  );
  await soon("both", Promise.all(begun.map(({ promise }) => promise)));
  const settled: string[] = [];
  void first!.settled.then(() => settled.push("first"));
  void second!.settled.then(() => settled.push("second"));
  const forgeries = [0, -1, second!.id + 1, 1e9].flatMap(answersFor);
  for (const message of forgeries) home.say(message);
  await settle();
  assert.deepEqual([settled, worker.busy, worker.stray], [[], true, forgeries.length]);
  worker.cancel(first!.id, "cancelled");
  const answer = await soon("the first", first!.settled);
  assert.ok(answer.kind === "answer" && answer.message.type === "result");
  assert.deepEqual([answer.message.id, answer.message.value], [first!.id, {
    kind: "text",
    text: "late",
  }]);
  // An id that was answered once is as unknown as any other.
  for (const message of answersFor(first!.id)) home.say(message);
  await settle();
  assert.deepEqual([settled, worker.busy], [["first"], true]);
  worker.cancel(second!.id, "cancelled");
  const other = await soon("the second", second!.settled);
  assert.ok(other.kind === "answer" && other.message.type === "result");
  assert.deepEqual(other.message.value, { kind: "text", text: "late" });
  assert.equal(worker.busy, false);
  assert.equal(await worker.drop(), true);
});
