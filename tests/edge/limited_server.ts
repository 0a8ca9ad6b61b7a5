/**
 * A server over a runtime made by hand, for a process that is short of descriptors. Prints its port.
 * @module
 */
import { startHttpServer } from "../../edge/http_server.ts";
import { fakeRuntime } from "./fake_runtime.ts";

console.log(startHttpServer(fakeRuntime().runtime, { port: 0 }).port);
