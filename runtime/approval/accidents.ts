/**
 * Commands that nobody means: they are refused whoever asks and whoever approves. A page against accidents, and no
 * boundary: what is written in another way is not found, and is held by the container, or by the person who is asked.
 * @module
 */
import { forEachChild, type ParsedScript, type SyntaxNode, type Word } from "unbash";

interface Accident {
  /** The program's name. */
  readonly program: RegExp;
  /** One of its arguments must be like this. */
  readonly argument?: RegExp;
  /** And another one like this. */
  readonly and?: RegExp;
  /** None may be like this. */
  readonly unless?: RegExp;
  /** What it does, for a person. */
  readonly what: string;
}

const DEVICE = /^(?:of=)?\/dev\/(?!null$|zero$|full$|tty|std|fd\/|shm\/|u?random$)./;
const WHOLE_FOLDER =
  /^["']?(?:\/+|\/(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library)\/*|~[\w-]*\/*|\$\{?HOME\}?\/*)(?:\.?\*)?["']?$/;
const HELP = /^(?:--help|--version|--show|-c)$/;

const ACCIDENTS: readonly Accident[] = [
  {
    program: /^rm$/,
    argument: WHOLE_FOLDER,
    and: /^-(?:\w*[rR]|-recursive$)/,
    what: "deletes the root folder, a system folder or a home folder",
  },
  {
    program: /^(?:chmod|chown)$/,
    argument: WHOLE_FOLDER,
    and: /^-(?:\w*R|-recursive$)/,
    what: "changes the owner or the mode of a whole system",
  },
  {
    program: /^(?:mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|blkdiscard|shred)$/,
    argument: DEVICE,
    what: "destroys what is on a disk",
  },
  { program: /^(?:dd|tee|cp)$/, argument: DEVICE, what: "writes over a disk or over memory" },
  {
    program: /^(?:shutdown|reboot|halt|poweroff)$/,
    unless: HELP,
    what: "shuts the machine down or restarts it",
  },
  {
    program: /^systemctl$/,
    argument: /^(?:poweroff|reboot|halt|kexec|suspend|hibernate)$/,
    what: "shuts the machine down, restarts it or puts it to sleep",
  },
  {
    program: /^kill$/,
    argument: /^-1$/,
    and: /^(?:-9|-KILL|-SIGKILL|-TERM|-15|-s|--)$/,
    what: "ends every process",
  },
];

const WRAPPERS: ReadonlySet<string> = new Set(
  "sudo doas env nohup nice time exec setsid busybox".split(" "),
);
// Each part has a length, so that a long text takes no longer for each of its characters.
const FORK_BOMB = /([\w:.]{1,20})\s{0,9}\(\)\s{0,9}\{\s{0,9}\1\s{0,9}\|\s{0,9}\1\s{0,9}&\s{0,9}\}/;

/**
 * Looks for an accident in a command, as far as its words are written out.
 *
 * @param text The command.
 * @param script Its syntax tree.
 * @returns What it does, for a person; `undefined` when none was found.
 */
export function findAccident(text: string, script: ParsedScript): string | undefined {
  if (FORK_BOMB.test(text)) return "starts itself without end";
  // No recursion: a text may nest deeper than the stack.
  const open: SyntaxNode[] = [script];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Command" && node.name) {
      const words = [node.name, ...node.args.filter((arg): arg is Word => arg.type === "Word")];
      const assigned = node.args.filter(({ type }) => type === "Assignment");
      const found = accidentOf([...words.map(wordText), ...assigned.map(({ text }) => text)]);
      if (found !== undefined) return found;
    }
    forEachChild(node, (child) => void open.push(child));
  }
  return undefined;
}

function wordText({ text, value, parts }: Word): string {
  return parts?.some(({ type }) => type === "SingleQuoted")
    ? value
    : text.includes("$")
    ? text
    : value;
}

function accidentOf(all: readonly string[]): string | undefined {
  let from = 0;
  while (WRAPPERS.has(all[from] ?? "")) {
    from++;
    while (/^-|=/.test(all[from] ?? "")) from++;
  }
  const [path = "", ...args] = all.slice(from);
  const program = path.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, "");
  return ACCIDENTS.find((accident) =>
    accident.program.test(program) &&
    (!accident.argument || args.some((arg) => accident.argument!.test(arg))) &&
    (!accident.and || args.some((arg) => accident.and!.test(arg))) &&
    !args.some((arg) => accident.unless?.test(arg))
  )?.what;
}
