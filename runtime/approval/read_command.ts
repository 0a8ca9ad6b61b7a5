/**
 * Reading a shell command as plain words, pipes and redirects, and writing it again.
 * @module
 */
import type {
  Command,
  DoubleQuotedPart,
  ParsedScript,
  Redirection,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";

/** A word that means itself, or a pattern for names of files. */
export interface PlainWord {
  /** What it stands for; for a pattern, the pattern. */
  readonly text: string;
  /** Where it is a pattern: the folder that it looks in, and what names there must be like. */
  readonly pattern?: { readonly folder: string; readonly name: RegExp };
  /** Whether it begins with a home folder. */
  readonly isHome: boolean;
}

/** Where output goes, or input comes from. */
export interface PlainRedirect {
  /** Such as `>`, `2>>` or `<`. */
  readonly operator: string;
  /** The file; a number for another descriptor. */
  readonly target: PlainWord | number;
}

/** One program with its words. */
export interface PlainCommand {
  /** What stands before it: nothing, or one of `|`, `&&`, `||` and `;`. */
  readonly joint: string;
  /** The program and its arguments. */
  readonly words: readonly PlainWord[];
  /** Its redirects, in order. */
  readonly redirects: readonly PlainRedirect[];
}

const STAR = "[^/]*";

/** Why a command is not plain. */
export class Unclear extends Error {}

const FILE_OPERATORS: ReadonlySet<string> = new Set([">", ">>", "<", "&>", "&>>"]);

/**
 * Reads a command whose every word means itself: without variables, substitutions, control flow, functions,
 * assignments, background and here-documents.
 *
 * @param script The syntax tree.
 * @returns Its programs in order.
 * @throws {Unclear} If there is anything else in it.
 */
export function readCommand(script: ParsedScript): readonly PlainCommand[] {
  if (script.errors && script.errors.length > 0) throw new Unclear("it is not complete");
  const commands: PlainCommand[] = [];
  for (const { command, background } of script.commands) {
    if (background) throw new Unclear("it starts something in the background");
    readNode(command, commands.length === 0 ? "" : ";", commands);
  }
  if (commands.length === 0) throw new Unclear("there is no command in it");
  return commands;
}

function readNode(node: SyntaxNode, joint: string, into: PlainCommand[]): void {
  if (node.type === "Command") into.push(readSimple(node, joint));
  else if (node.type === "AndOr" || node.type === "Pipeline") {
    if (node.type === "Pipeline" && node.prefixes.length > 0) {
      throw new Unclear('it uses "!" or "time"');
    }
    node.commands.forEach((part, index) => {
      const operator = index === 0 ? joint : node.operators[index - 1]!;
      if (operator === "|&") throw new Unclear('it uses "|&"');
      readNode(part, operator, into);
    });
  } else throw new Unclear("it is more than programs and pipes between them");
}

function readSimple({ name, prefix, suffix }: Command, joint: string): PlainCommand {
  if (!name) throw new Unclear("it sets variables or redirects without a program");
  const words = [readWord(name)];
  const redirects: PlainRedirect[] = [];
  for (const part of [...prefix, ...suffix]) {
    if (part.type === "Word") words.push(readWord(part));
    else if (part.type === "Assignment") {
      if (prefix.includes(part)) throw new Unclear("it sets variables");
      words.push(readAssignment(part.text));
    } else redirects.push(readRedirect(part));
  }
  return { joint, words, redirects };
}

// "dd if=x" and "--name=value": an argument, unless something in it expands.
function readAssignment(text: string): PlainWord {
  if (!/^[\w./:,+@%=-]*$/.test(text)) throw new Unclear("a word of it is no plain text");
  return { text, isHome: /[=:]~/.test(text) };
}

function readRedirect(redirect: Redirection): PlainRedirect {
  if (redirect.type !== "Redirect") throw new Unclear("it has a here-document");
  const { operator, descriptor, target } = redirect;
  if (!target) throw new Unclear("a redirect is not complete");
  if (descriptor && (descriptor.type !== "FileDescriptor" || descriptor.value > 2)) {
    throw new Unclear("it opens descriptors of its own");
  }
  const prefix = descriptor?.type === "FileDescriptor" ? String(descriptor.value) : "";
  const word = readWord(target);
  if (operator === ">&" && /^[12]$/.test(word.text)) {
    return { operator: `${prefix}>&`, target: Number(word.text) };
  }
  if (!FILE_OPERATORS.has(operator) || word.pattern || word.text === "") {
    throw new Unclear(`the redirect "${operator}" is not one to a file`);
  }
  return { operator: `${prefix}${operator}`, target: word };
}

function readWord({ text, value, parts }: Word): PlainWord {
  // Whatever is written in another way than it is meant is left to a person.
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) throw new Unclear("it holds control characters");
  const isHome = text.startsWith("~");
  if (parts === undefined) {
    if (/[{}`$*?[\]]/.test(value)) throw new Unclear("a word of it is no plain text");
    return { text: value, isHome };
  }
  const pieces = parts.map(readPart);
  const plain = pieces.map(({ value }) => value).join("");
  if (!pieces.some(({ regExp }) => regExp !== undefined)) return { text: plain, isHome };
  const at = pieces.findLastIndex(({ value }) => value.includes("/"));
  const before = pieces.slice(0, Math.max(at, 0));
  if (before.some(({ regExp }) => regExp !== undefined)) {
    throw new Unclear("a pattern spans folders");
  }
  const slash = at < 0 ? 0 : pieces[at]!.value.lastIndexOf("/") + 1;
  const folder = before.map(({ value }) => value).join("") +
    (pieces[at]?.value.slice(0, slash) ?? "");
  const name = plain.slice(folder.length);
  const rest = pieces.slice(Math.max(at, 0)).map(({ value, regExp }, index) =>
    regExp ?? RegExp.escape(index === 0 ? value.slice(slash) : value)
  );
  // With one star the expression takes linear time, whatever the names are.
  if (rest.filter((part) => part === STAR).length > 1) throw new Unclear("a pattern has two stars");
  // A shell matches a leading dot only with a dot.
  const hidden = name.startsWith(".") ? "" : "(?!\\.)";
  return {
    text: plain,
    pattern: { folder, name: new RegExp(`^${hidden}${rest.join("")}$`, "su") },
    isHome,
  };
}

interface Piece {
  readonly value: string;
  readonly regExp?: string;
}

function readPart(part: WordPart): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return { value: part.value };
    case "DoubleQuoted":
      return { value: readQuoted(part) };
    case "Glob":
      if (part.kind === "star") return { value: "*", regExp: STAR };
      if (part.kind === "question") return { value: "?", regExp: "[^/]" };
  }
  throw new Unclear("a word of it is no plain text");
}

function readQuoted({ parts }: DoubleQuotedPart): string {
  return parts.map((part) => {
    if (part.type !== "Literal") throw new Unclear("it uses variables or other commands' output");
    return part.value;
  }).join("");
}

/**
 * Writes a word so that every shell takes it for itself.
 *
 * @param text The word.
 * @returns It in single quotes.
 */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
