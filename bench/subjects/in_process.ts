/**
 * A front that may start no process, so that the tool it names runs in a worker of its own process; prints
 * samples of a warm call and of a bare worker's round trip.
 * @module
 */
import { openRuntime } from "../harness/runtime.ts";
import { compare } from "../harness/sample.ts";
import { startBareWorker } from "../peers/bare_worker.ts";

const TEXT = "a text of the length that arguments often have";

await using opened = await openRuntime({ config: { isolation: { inProcess: ["echo"] } } });
using worker = await startBareWorker();
const samples = await compare(
  () => opened.call("echo", { text: TEXT }),
  () => worker.roundTrip({ text: TEXT }),
  { perTurn: 200, warmUp: 500 },
);
console.log(JSON.stringify(samples));
Deno.exit(0);
