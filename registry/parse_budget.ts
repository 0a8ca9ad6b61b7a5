/**
 * A bound on the work of the parser. It tries type arguments both ways and starts over when it was wrong,
 * so that 60 bytes like `<a>(<a>(<a>(…` take minutes: each level doubles the time (measured with
 * @babel/parser 8.1.3). Its work is counted where it makes a node, which does not depend on a clock.
 * @module
 */
type Parse = typeof import("@babel/parser").parse;
type Options = NonNullable<Parameters<Parse>[1]>;
type File = ReturnType<Parse>;

/** Nodes that even the smallest module may need. */
const BASE_NODES = 20_000;
/** Nodes per character; real code needs a third of one, doubled at most by second attempts. */
const NODES_PER_CHARACTER = 2;

/** The parser made more nodes than the text can need. */
export class ParseBudgetError extends Error {
  /** The name of the class. */
  override readonly name = "ParseBudgetError";
}

// The parser is synchronous, so that one counter serves every parse.
let nodesLeft: number | undefined;
const hooked = new WeakSet<object>();

/**
 * Parses a text with a bound on the number of nodes made on the way.
 *
 * @param parse The parser's own function.
 * @param text The module's text.
 * @param options The parser's options.
 * @returns What the parser gives.
 * @throws {ParseBudgetError} If the bound is reached.
 * @throws {SyntaxError} If the text does not parse.
 */
export function withParseBudget(parse: Parse, text: string, options: Options): File {
  hookNodes(parse);
  nodesLeft = BASE_NODES + NODES_PER_CHARACTER * text.length;
  try {
    return parse(text, { ...options, ranges: true });
  } finally {
    nodesLeft = undefined;
  }
}

function hookNodes(parse: Parse): void {
  const prototype: object = Object.getPrototypeOf(parse("").program);
  if (hooked.has(prototype)) return;
  hooked.add(prototype);
  // With `ranges` the parser assigns `range` once to each new node, speculative ones included.
  Object.defineProperty(prototype, "range", { configurable: true, get: readRange, set: setRange });
}

const scratchRange: [number, number] = [0, 0];

function readRange(): [number, number] | undefined {
  return nodesLeft === undefined ? undefined : scratchRange;
}

function setRange(this: object, value: unknown): void {
  if (nodesLeft === undefined) {
    // Somebody else's parse in this process: behave as if nothing was hooked.
    Object.defineProperty(this, "range", {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else if (--nodesLeft < 0) {
    throw new ParseBudgetError("Cannot parse the module: it needs too many attempts");
  }
}
