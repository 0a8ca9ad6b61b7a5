/**
 * `cloister call`: one call of a tool.
 * @module
 */
import type { ToolResult } from "../core/result.ts";
import type { CallProgress } from "../runtime/runtime_types.ts";
import { approvalSurface, terminalPrompt } from "./approval.ts";
import { readArguments } from "./arguments.ts";
import { type CommandContext, EXIT, UsageError } from "./command.ts";
import { inputSurface } from "./input.ts";
import { watchInterrupt } from "./interrupt.ts";
import { openRuntime } from "./options.ts";
import type { Output } from "./output.ts";

/**
 * Runs it.
 *
 * @param context What was typed, and where to print.
 * @returns The exit code.
 */
export async function run(context: CommandContext): Promise<number> {
  const { args, output } = context;
  const timeoutMs = readTimeout(context.options.text("timeout-ms"));
  const callArgs = await readArguments(args[1], () => new Response(Deno.stdin.readable).text());
  using interrupt = watchInterrupt();
  // What is left of stdin is no answer once the arguments came from it.
  const prompt = { ...terminalPrompt(), ...(args[1] === "-" && { isTerminal: false }) };
  const onApproval = approvalSurface(output, { yes: context.options.flag("yes"), prompt });
  const input = inputSurface(output, prompt);
  await using runtime = await openRuntime(context, {
    findings: "count",
    changes: { ...(onApproval && { onApproval }), ...(input && { input }) },
    // Servers take their time, and only their own tools need them.
    mcp: args[0]!.startsWith("mcp__") ? "wait" : "off",
  });
  if (interrupt.signal.aborted) return EXIT.interrupted;
  const result = await runtime.dispatch(args[0]!, callArgs, {
    signal: AbortSignal.any([interrupt.signal, output.closed]),
    onProgress: (progress) => output.info(progressText(progress)),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  printResult(output, result);
  if (interrupt.signal.aborted) return EXIT.interrupted;
  return result.ok ? EXIT.ok : EXIT.failed;
}

function printResult(output: Output, result: ToolResult): void {
  if (output.json) return output.value(result);
  if (result.ok) return output.foreign(result.content);
  output.error(`${result.error.code}: ${result.error.message}`);
  if (result.error.code === "approval_required") output.info("'--yes' approves this one call.");
}

function progressText({ value, total, message }: CallProgress): string {
  const amount = total === undefined ? String(value) : `${value}/${total}`;
  return message === undefined ? `progress ${amount}` : `progress ${amount}: ${message}`;
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`The value "${text}" of --timeout-ms is not a whole number of milliseconds`);
}
