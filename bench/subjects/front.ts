/**
 * A front whose tools have all been called once, which prints a line and then waits for the end of stdin.
 *
 * Arguments: the folder with tools, their names.
 * @module
 */
import { openRuntime } from "../harness/runtime.ts";

const [root = "", ...names] = Deno.args;
await using opened = await openRuntime({ roots: [root] });
for (const name of names) await opened.call(name, { text: "warm" });
console.log("warm");
await Deno.stdin.readable.pipeTo(new WritableStream());
