/**
 * A worker that posts every message back, and one of its own when it is up.
 * @module
 */
/// <reference lib="deno.worker" />
self.onmessage = (event) => self.postMessage(event.data);
self.postMessage("up");
