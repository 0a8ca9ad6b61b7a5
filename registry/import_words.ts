/**
 * What is said of imports that cannot be admitted.
 * @module
 */
import type { Finding } from "./scan_findings.ts";

/** Stable words for what the resolver does not list or must not run. */
export type ImportFaultCode =
  | "attributes_differ"
  | "attributes_not_literal"
  | "create_require"
  | "import_equals"
  | "import_meta_resolve"
  | "import_not_literal"
  | "import_phase"
  | "inline_module"
  | "nested_worker"
  | "process_binding"
  | "require_call"
  | "worker_threads";

const STATIC = "Use a static import, or import() with a text written out";
const WORDS: Readonly<Record<ImportFaultCode, readonly [message: string, hint: string]>> = {
  attributes_differ: [
    "the same module is imported with other attributes in this file",
    "Import it once, or with the same attributes everywhere",
  ],
  attributes_not_literal: [
    "the attributes are not written out",
    'Write { with: { type: "json" } }',
  ],
  create_require: ["node:module can load modules that are not listed", STATIC],
  import_equals: ["import … = require(…) is not an ES module import", STATIC],
  import_meta_resolve: [
    "import.meta.resolve names modules that are not listed",
    'Use new URL("./file", import.meta.url) for files that the handler reads',
  ],
  import_not_literal: ["the specifier of import() is not written out", STATIC],
  import_phase: ["import defer and import source are not supported", "Use a plain import"],
  inline_module: ["data: and blob: modules hide what they import", "Put the code into a file"],
  nested_worker: ["a tool cannot start workers", "Do the work in the handler: it runs in a worker"],
  process_binding: ["it reaches modules that are not listed", "Import the node: module by name"],
  require_call: ["require is not an ES module import", STATIC],
  worker_threads: [
    "a tool cannot start threads",
    "Do the work in the handler: it runs in a worker",
  ],
};

/**
 * The finding for an import that cannot be admitted.
 *
 * @param code What is wrong with it.
 * @returns The finding, an error.
 */
export function importFault(code: ImportFaultCode): Finding {
  const [reason, hint] = WORDS[code];
  return { severity: "error", code, message: `Cannot admit this import: ${reason}`, hint };
}
