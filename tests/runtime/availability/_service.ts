/** A tool whose service a test switches on and off, in a runtime whose clock the test moves. */
import { ToolRegistry } from "../../../registry/tool_registry.ts";
import { FakeClock } from "../../registry/availability/_fake_clock.ts";
import { tool } from "../../registry/table_support.ts";
import { startRuntime, type TestRuntime, type TestRuntimeOptions } from "../_runtime.ts";

/** What a test of a service works with. */
export interface ServiceBench extends AsyncDisposable {
  readonly test: TestRuntime;
  readonly clock: FakeClock;
  /** Whether the service is up, and how often that was asked. */
  readonly service: { up: boolean; runs: number };
  /** The names that a model would get now. */
  names(): Promise<string[]>;
}

/** Starts it: `service` depends on the service, `plain` on nothing. */
export async function startService(
  up: boolean,
  options: TestRuntimeOptions = {},
): Promise<ServiceBench> {
  const clock = new FakeClock();
  const service = { up, runs: 0 };
  const registry = new ToolRegistry();
  const checkFn = () => {
    service.runs++;
    return service.up ? true : { available: false, reason: "The service is down" };
  };
  registry.register(tool("service", { toolset: "net", checkFn }));
  registry.register(tool("plain"));
  const test = await startRuntime({ registry, clock, discover: false, ...options });
  return {
    test,
    clock,
    service,
    names: async () => {
      const { tools } = await test.runtime.getDefinitions();
      await clock.advance(0);
      return tools.map((one) => one.function.name);
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
