/**
 * What is said of registrations that the rule does not accept.
 * @module
 */
import type { Finding } from "./scan_findings.ts";

/** Stable words for what keeps a registration from being found. */
export type NearMissCode =
  | "aliased"
  | "argument_not_literal"
  | "assigned"
  | "awaited"
  | "called_through"
  | "chained"
  | "computed_member"
  | "conditional"
  | "decorator"
  | "destructured"
  | "foreign_registry"
  | "in_block"
  | "in_class"
  | "in_function"
  | "in_loop"
  | "in_try"
  | "local_registry"
  | "logical"
  | "name_not_literal"
  | "not_a_statement"
  | "not_called"
  | "optional_call"
  | "re_exported"
  | "unbound_registry";

const STATEMENT =
  "Write registry.register({ … }) as a statement of its own at the top level of the module";
const AVAILABILITY = `${STATEMENT}, and say when the tool is available with checkFn or requires`;
const IMPORT = 'Import it in this file: import { registry } from "@cloister/cloister/tool"';

const WORDS: Readonly<Record<NearMissCode, readonly [message: string, hint: string]>> = {
  aliased: ["the registry gets a second name here", STATEMENT],
  argument_not_literal: [
    "its argument is not written out",
    "Pass an object literal, defineTool({ … }), or a module-level const that is set to one before",
  ],
  assigned: ["its result is used", STATEMENT],
  awaited: ["it is awaited", `${STATEMENT}, without await`],
  called_through: ["the registry is handed to other code", STATEMENT],
  chained: ["something is done with its result", STATEMENT],
  computed_member: ["the registry is accessed with brackets", "Write registry.register({ … })"],
  conditional: ["it depends on a condition", AVAILABILITY],
  decorator: ["it is a decorator", STATEMENT],
  destructured: ["the registry is taken apart here", STATEMENT],
  foreign_registry: ["this registry is not the one of the tool module", IMPORT],
  in_block: ["it is inside a block", STATEMENT],
  in_class: ["it is inside a class", STATEMENT],
  in_function: ["it is inside a function", STATEMENT],
  in_loop: [
    "it is inside a loop other than a for...of at the top level",
    "Use one for...of at the top level whose body calls registry.register directly",
  ],
  in_try: ["it is inside a try statement", AVAILABILITY],
  local_registry: ["this registry is a variable of this file", IMPORT],
  logical: ["it depends on a logical operator", AVAILABILITY],
  name_not_literal: ["the name of the tool is not written out", "Write the name as a text"],
  not_a_statement: ["it is part of a larger expression", STATEMENT],
  not_called: ["register is named but not called", STATEMENT],
  optional_call: ["it is an optional call", "Write registry.register({ … }) without ?."],
  re_exported: [
    "the registry is exported again",
    "Let each tool file import the tool module itself",
  ],
  unbound_registry: ["registry is not imported", IMPORT],
};

/**
 * The finding for a near miss: a warning, as the file's other tools stay.
 *
 * @param code What keeps the registration from being found.
 * @returns The finding.
 */
export function nearMiss(code: NearMissCode): Finding {
  const [reason, hint] = WORDS[code];
  return {
    severity: "warning",
    code,
    message: `Cannot discover this registration: ${reason}`,
    hint,
  };
}
