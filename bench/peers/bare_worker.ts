/**
 * Bare Web Workers: a round trip of `postMessage`, and the time to the first message.
 * @module
 */
const ENTRY = new URL("./echo_worker.ts", import.meta.url);

function nextMessage(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
}

/** A worker that is up. */
export interface BareWorker extends Disposable {
  /** Posts a value and gives what comes back. */
  roundTrip(value: unknown): Promise<unknown>;
}

/**
 * Starts a worker with no permissions and waits for its first message.
 *
 * @returns The worker.
 */
export async function startBareWorker(): Promise<BareWorker> {
  const worker = new Worker(ENTRY, { type: "module", deno: { permissions: "none" } });
  await nextMessage(worker);
  return {
    roundTrip(value) {
      const answer = nextMessage(worker);
      worker.postMessage(value);
      return answer;
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}
