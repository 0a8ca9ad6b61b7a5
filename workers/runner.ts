/**
 * The entry of every tool worker: loads one tool module under the worker's own grants, answers calls, and
 * reports. It imports the module by a computed specifier, because literal ones are checked against the
 * grants of the process, not of the worker (measured on Deno 2.9.6).
 * @module
 */
// Loaded with the entry, so that no worker needs a grant for it and every tool file gets this very copy.
import "../core/tool.ts";
import { ToolError } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import { takeRegistrations } from "../core/pending.ts";
import type { RegisterOptions, ToolRegistration } from "../core/registration.ts";
import { isStandardSchema } from "../core/standard_schema.ts";
import { describeRegistration } from "./describe.ts";
import { type EncodedResult, encodeError, encodePlace, encodeResult } from "./encode_result.ts";
import {
  type CallMessage,
  type CheckMessage,
  type HostMessage,
  type LoadMessage,
  type OverrideMessage,
  PROTOCOL_VERSION,
  type WireError,
  type WorkerMessage,
} from "./protocol.ts";
import { Asker } from "./asker.ts";
import { requestLock } from "./locks.ts";
import { isStream, StreamSender } from "./stream_result.ts";
import { createContext, createEnv, createLog } from "./tool_context.ts";
import { decodeTagged, encodeRawResult, encodeWorkerMessage, type Packet } from "./wire.ts";

interface WorkerScope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: string, listener: (event: never) => void): void;
}
interface OpenCall {
  readonly controller: AbortController;
  readonly started: number;
  readonly asker: Asker;
  settled: boolean;
  sender?: StreamSender;
}

const MAX_REGISTRATIONS = 256;
/** How long a tool has to say how it is defined now, in milliseconds. */
const OVERRIDE_MS = 250;
const scope = globalThis as unknown as WorkerScope;
const postMessage = scope.postMessage.bind(globalThis);
const now = performance.now.bind(performance);
const enqueue = queueMicrotask;
const registrations: [ToolRegistration, RegisterOptions][] = [];
const calls = new Map<number, OpenCall>();
const waiting: HostMessage[] = [];
let refused: string | undefined;
let open = false;

let outbox: string[] = [];

// Answers of one turn go together. Progress and log go at once: a handler that reports and then computes does
// not come back to the event loop for a while.
function send(message: WorkerMessage): void {
  post(encodeWorkerMessage(message));
  if (message.type === "progress" || message.type === "log" || message.type === "ask") flush();
}

function post(packet: Packet): void {
  if (typeof packet === "string") {
    if (outbox.push(packet) === 1) enqueue(flush);
    return;
  }
  flush();
  postMessage(packet, [packet.buffer as ArrayBuffer]);
}

function flush(): void {
  if (outbox.length === 0) return;
  const packets = outbox;
  outbox = [];
  postMessage(packets.length === 1 ? packets[0] : packets);
}

// The channel stays with the runner: tool code has other ways to speak, each with its own guard.
function closeGlobals(): void {
  Object.defineProperty(globalThis, "postMessage", {
    configurable: false,
    writable: false,
    value: () => {
      throw new TypeError("Cannot post a message from a tool: return a result instead");
    },
  });
}

function collect(
  registration: ToolRegistration,
  options: RegisterOptions,
): { status: "registered" } {
  if (registrations.length >= MAX_REGISTRATIONS) {
    refused = `It registers over ${MAX_REGISTRATIONS} tools`;
    throw new RangeError(`Cannot register another tool: ${MAX_REGISTRATIONS} a module at most`);
  }
  registrations.push([registration, options]);
  return { status: "registered" };
}

async function load(message: LoadMessage): Promise<void> {
  if (message.protocol !== PROTOCOL_VERSION) {
    return send({
      type: "load-failed",
      error: loadError("The runner has another protocol version"),
    });
  }
  try {
    await import(message.url);
    if (refused) return send({ type: "load-failed", error: loadError(refused) });
    send({ type: "ready", tools: registrations.map(([tool]) => String(tool?.name)) });
  } catch (error) {
    send({ type: "load-failed", error: encodeError(error), at: encodePlace(error) });
  }
}

function loadError(message: string): WireError {
  return { code: "tool_error", message, retryable: false };
}

function describe(): void {
  try {
    const declarations = registrations.map(([tool, options]) =>
      describeRegistration(tool, options)
    );
    send({ type: "described", declarations });
  } catch (error) {
    send({ type: "load-failed", error: encodeError(error) });
  }
}

function findTool(name: string): ToolRegistration {
  const found = registrations.findLast(([tool]) => tool.name === name)?.[0];
  if (!found) throw new ToolError(`Cannot call "${name}": its module no longer registers it`);
  return found;
}

class InvalidArguments extends Error {}

async function checkedArguments(tool: ToolRegistration, args: unknown): Promise<unknown> {
  if (!isStandardSchema(tool.schema)) return args;
  const checked = await tool.schema["~standard"].validate(args);
  if (!checked.issues) return checked.value;
  const faults = checked.issues.slice(0, 20).map((issue) => {
    const path = (issue.path ?? []).map((key) => String(typeof key === "object" ? key.key : key));
    return `${path.length === 0 ? "arguments" : path.join(".")}: ${issue.message}`;
  });
  throw new InvalidArguments(faults.join("; "));
}

function failure(error: unknown): WireError {
  if (error instanceof InvalidArguments) {
    return { code: "invalid_arguments", message: error.message, retryable: false };
  }
  return encodeError(error);
}

async function call(message: CallMessage): Promise<void> {
  const { id } = message;
  const controller = new AbortController();
  const entry: OpenCall = {
    controller,
    started: now(),
    asker: new Asker(id, send),
    settled: false,
  };
  calls.set(id, entry);
  const context = createContext(id, message.context, controller.signal, send, entry.asker);
  try {
    const tool = findTool(message.tool);
    const args = await checkedArguments(tool, message.args);
    const returned: unknown = await tool.handler(args as never, context);
    settle(
      message.id,
      entry,
      isStream(returned) ? await sendStream(message.id, entry, returned) : encodeResult(returned),
    );
  } catch (error) {
    fail(message.id, entry, failure(error));
  }
}

async function sendStream(
  id: number,
  entry: OpenCall,
  stream: AsyncIterable<unknown>,
): Promise<EncodedResult> {
  entry.sender = new StreamSender(id, entry.controller.signal, (message) => {
    if (!entry.settled) send(message);
  });
  return { kind: "stream", chars: await entry.sender.send(stream) };
}

function settle(id: number, entry: OpenCall, value: EncodedResult): void {
  if (!close(id, entry)) return;
  const runMs = now() - entry.started;
  if (value.kind === "raw") post(encodeRawResult(id, runMs, value.json));
  else send({ type: "result", id, value, runMs });
}

function fail(id: number, entry: OpenCall, error: WireError): void {
  const busy = entry.sender?.busy;
  if (busy) {
    // The cell lets an answer pass only when the front has dealt with the last piece.
    entry.sender?.stop();
    return void busy.then(() => fail(id, entry, error));
  }
  if (close(id, entry)) send({ type: "failure", id, error, runMs: now() - entry.started });
}

// The first answer counts.
function close(id: number, entry: OpenCall): boolean {
  if (entry.settled) return false;
  entry.settled = true;
  return calls.delete(id);
}

async function check(message: CheckMessage): Promise<void> {
  try {
    const tool = findTool(message.tool);
    const signal = new AbortController().signal;
    const context = { signal, config: Object.freeze(message.config), env: createEnv(message.env) };
    // Nothing said is a no; only a tool without a check is always available.
    const said = (tool.checkFn ? await tool.checkFn(Object.freeze(context)) : true) ?? false;
    const available = Boolean(typeof said === "object" ? said.available : said);
    const reason = typeof said === "object" && said.reason ? String(said.reason) : undefined;
    send({ type: "checked", id: message.id, available, reason });
  } catch (error) {
    send({ type: "failure", id: message.id, error: encodeError(error), runMs: 0 });
  }
}

async function override(message: OverrideMessage): Promise<void> {
  const { id, config, env, tools } = message;
  try {
    const tool = findTool(message.tool);
    const signal = AbortSignal.timeout(OVERRIDE_MS);
    const context = { signal, config: Object.freeze(config), env: createEnv(env) };
    const said = await tool.dynamicSchemaOverrides?.(
      Object.freeze({ ...context, tools: new Set(tools) }),
    );
    send({ type: "overridden", id, overrides: (said ?? null) as JsonValue });
  } catch (error) {
    send({ type: "failure", id, error: encodeError(error), runMs: 0 });
  }
}

function handle(message: HostMessage): void {
  switch (message.type) {
    case "load":
      return void load(message);
    case "describe":
      return describe();
    case "call":
      return void call(message);
    case "check":
      return void check(message);
    case "override":
      return void override(message);
    case "cancel":
      return calls.get(message.id)?.controller.abort(
        new DOMException(`The call was ended: ${message.reason}`, "AbortError"),
      );
    case "more":
      return calls.get(message.id)?.sender?.more();
    case "reply":
      return calls.get(message.id)?.asker.answer(message.ask, message.reply);
    case "ping":
      return send({ type: "pong", id: message.id });
    default:
      return message satisfies never;
  }
}

// A stray rejection or error belongs to the call when only one is open; else it is only reported.
function onStray(error: unknown): void {
  const [only, ...others] = calls;
  if (only && others.length === 0) {
    const [id, entry] = only;
    fail(id, entry, encodeError(error));
    return;
  }
  createLog(send).error(`Error outside a call: ${encodeError(error).message}`);
}

scope.addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
  event.preventDefault();
  onStray(event.reason);
});
scope.addEventListener("error", (event: ErrorEvent) => {
  event.preventDefault();
  onStray(event.error);
});
scope.addEventListener("message", (event: MessageEvent) => {
  event.stopImmediatePropagation();
  const { data } = event;
  if (typeof data?.lock === "string") return hold(data.lock);
  for (const packet of Array.isArray(data) ? data : [data]) receive(packet as Packet);
});

function receive(packet: Packet): void {
  const message = decodeTagged(packet) as HostMessage;
  if (open) handle(message);
  else waiting.push(message);
}

// While this worker lives it holds the lock; the host sees its end by the lock's release, because
// `Deno.exit` and `self.close` in a worker fire no event (measured on Deno 2.9.6).
function hold(lock: string): void {
  void requestLock(lock, () => {
    postMessage("held");
    open = true;
    takeRegistrations(collect);
    closeGlobals();
    for (const message of waiting.splice(0)) handle(message);
    return new Promise<void>(() => {});
  });
}
