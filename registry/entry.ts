/**
 * Makes the entries of the table.
 * @module
 */
import type {
  InlineHandler,
  ModuleHandler,
  Owner,
  ToolDeclaration,
  ToolEntry,
  ToolSource,
} from "../core/entry.ts";
import { fromJsonLimit } from "../core/json_limit.ts";
import type { ToolRegistration } from "../core/registration.ts";
import { isStandardSchema } from "../core/standard_schema.ts";
import { readRegistration } from "./declaration.ts";
import { assertOwner, assertToolset, expectedToolName, isToolName } from "./name.ts";
import { assertNotReserved } from "./reserved_name.ts";
import { validatorOf } from "./standard_schema.ts";

/** Options of {@linkcode createInlineEntry}. */
export interface InlineEntryOptions {
  /** Whether the registration asks to override. @default {false} */
  readonly override?: boolean;
  /** Where the tool comes from. @default {{ kind: "inline" }} */
  readonly source?: ToolSource;
  /** Why a person is asked before every call. @default {for no such reason} */
  readonly approvalReason?: string;
}

/** What {@linkcode createModuleEntry} needs beside the declaration. */
export interface ModuleEntryOptions {
  /** Who registers the tool. */
  readonly owner: Owner;
  /** Where the handler is. */
  readonly handler: ModuleHandler;
  /** Where the tool comes from. */
  readonly source: ToolSource;
}

/**
 * Makes the entry of a tool whose code is part of this program. The registration is copied, never frozen;
 * its functions are kept as they are.
 *
 * @param registration What was passed to `register`.
 * @param owner Who registers it.
 * @param options Whether it overrides, and where it comes from.
 * @returns The entry, frozen at every depth.
 * @throws {TypeError} If a field is missing, unknown or of the wrong kind, or the name is not allowed.
 * @throws {PermissionError} If the name or the toolset belongs to somebody else.
 */
export function createInlineEntry(
  registration: ToolRegistration,
  owner: Owner,
  options: InlineEntryOptions = {},
): ToolEntry {
  const declaration = readRegistration(registration);
  const handler = inlineHandler(registration);
  return build(declaration, {
    owner,
    handler,
    isolation: "inline",
    override: options.override ?? false,
    source: copySource(options.source ?? { kind: "inline" }),
    hasCheckFn: handler.checkFn !== undefined,
    hasDynamicSchema: handler.dynamicSchemaOverrides !== undefined,
    ...(options.approvalReason === undefined ? {} : { approvalReason: options.approvalReason }),
    ...(isStandardSchema(registration.schema)
      ? { validate: validatorOf(registration.schema) }
      : {}),
  });
}

/**
 * Makes the entry of a tool that runs in a worker.
 *
 * @param declaration The tool as plain data, checked by `parseDeclaration`.
 * @param options Who registers it, where its handler is, and where it comes from.
 * @returns The entry, frozen at every depth.
 * @throws {TypeError} If the name is not allowed.
 * @throws {PermissionError} If the name or the toolset belongs to somebody else.
 */
export function createModuleEntry(
  declaration: ToolDeclaration,
  options: ModuleEntryOptions,
): ToolEntry {
  const { owner, handler, source } = options;
  return build(declaration, {
    owner,
    handler: Object.freeze({ ...handler }),
    isolation: declaration.isolation ?? (owner.startsWith("plugin:") ? "process" : "worker"),
    override: declaration.override ?? false,
    source: copySource(source),
    hasCheckFn: declaration.hasCheckFn ?? false,
    hasDynamicSchema: declaration.hasDynamicSchema ?? false,
  });
}

/**
 * Refuses an entry that its owner may not put into the table.
 *
 * @param entry The entry.
 * @throws {TypeError} If the owner or the name is not allowed, or the entry is not frozen.
 * @throws {PermissionError} If the name or the toolset belongs to somebody else.
 */
export function assertEntry(entry: ToolEntry): void {
  assertOwner(entry.owner);
  if (!Object.isFrozen(entry)) {
    throw new TypeError(`Cannot register tool "${entry.name}": its entry is not frozen`);
  }
  if (!isToolName(entry.name, entry.owner)) {
    throw new TypeError(
      `Cannot register tool ${JSON.stringify(entry.name)} of ${entry.owner}: field "name" is ` +
        `not allowed, expected ${expectedToolName(entry.owner)}`,
    );
  }
  assertNotReserved(entry.name, entry.owner);
  assertToolset(entry.name, entry.toolset, entry.owner);
}

type Rest = Pick<
  ToolEntry,
  | "owner"
  | "handler"
  | "isolation"
  | "override"
  | "source"
  | "hasCheckFn"
  | "hasDynamicSchema"
  | "validate"
  | "approvalReason"
>;

const EMPTY: Readonly<Record<string, never>> = Object.freeze({});
const NONE: readonly never[] = Object.freeze([]);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// One literal, so that the entries of a table share a compact shape; what is optional is added after it.
function build(declaration: ToolDeclaration, rest: Rest): ToolEntry {
  const entry: Mutable<ToolEntry> = {
    name: declaration.name,
    toolset: declaration.toolset,
    description: declaration.description,
    emoji: declaration.emoji ?? "",
    schema: declaration.schema,
    permissions: declaration.permissions ?? EMPTY,
    handler: rest.handler,
    owner: rest.owner,
    override: rest.override,
    isolation: rest.isolation,
    requiresEnv: declaration.requiresEnv ?? NONE,
    requires: declaration.requires ?? EMPTY,
    isAsync: declaration.isAsync ?? false,
    annotations: declaration.annotations ?? EMPTY,
    hasCheckFn: rest.hasCheckFn,
    hasDynamicSchema: rest.hasDynamicSchema,
    source: rest.source,
  };
  addOptional(entry, declaration, rest);
  Object.freeze(entry);
  assertEntry(entry);
  return entry;
}

function addOptional(
  entry: Mutable<ToolEntry>,
  declaration: ToolDeclaration,
  { validate, approvalReason }: Rest,
): void {
  const { title, outputSchema, maxResultSizeChars, timeoutMs, memoryMb } = declaration;
  if (title !== undefined) entry.title = title;
  if (outputSchema !== undefined) entry.outputSchema = outputSchema;
  if (validate !== undefined) entry.validate = validate;
  if (approvalReason !== undefined) entry.approvalReason = approvalReason;
  if (maxResultSizeChars !== undefined) {
    entry.maxResultSizeChars = fromJsonLimit(maxResultSizeChars);
  }
  if (timeoutMs !== undefined) entry.timeoutMs = timeoutMs;
  if (memoryMb !== undefined) entry.memoryMb = memoryMb;
  if (declaration.hasOwnCheck) entry.hasOwnCheck = true;
  if (declaration.sharesCheckOf !== undefined) entry.sharesCheckOf = declaration.sharesCheckOf;
}

function inlineHandler(registration: ToolRegistration): InlineHandler {
  const { checkFn, dynamicSchemaOverrides } = registration;
  const handler: Mutable<InlineHandler> = {
    kind: "inline",
    call: registration.handler as InlineHandler["call"],
  };
  if (checkFn !== undefined) handler.checkFn = checkFn;
  if (dynamicSchemaOverrides !== undefined) handler.dynamicSchemaOverrides = dynamicSchemaOverrides;
  return Object.freeze(handler);
}

const INLINE: ToolSource = Object.freeze({ kind: "inline" });

function copySource(source: ToolSource): ToolSource {
  return source.kind === "inline" && Object.keys(source).length === 1
    ? INLINE
    : Object.freeze({ ...source });
}
