/** A client that listens to changes of the list until it is ended: of a URL, or over its own stdin and stdout. */
import { connect, type Era, LineWire } from "./_server.ts";

const [era, url] = Deno.args;
const target = url ?? new LineWire(Deno.stdin.readable, Deno.stdout.writable);
await connect(target, era as Era, {
  listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => {} } },
});
