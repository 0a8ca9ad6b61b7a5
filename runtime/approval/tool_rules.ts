/**
 * Commands of databases, version control, containers and clouds that lose data. They need approval.
 * @module
 */
import { type DangerRule, naming, starting } from "./danger_rule.ts";
import type { ProgramCall } from "./program_call.ts";

const CONTAINERS = "stops or deletes containers, images or volumes";
const CLOUD = "deletes what runs or is kept elsewhere";

/** The rules. */
export const TOOL_RULES: readonly DangerRule[] = Object.freeze<DangerRule[]>([
  {
    id: "sql",
    level: "dangerous",
    what: "deletes tables, databases or every row of a table",
    programs:
      "psql mysql mariadb sqlite3 sqlcmd duckdb clickhouse-client clickhouse cockroach usql pgcli mycli",
    when: ({ args, input }) => losesRows([...args, input ?? ""].join("\n;")),
  },
  {
    id: "sql",
    level: "dangerous",
    what: "deletes a database",
    programs: "dropdb dropuser mysqladmin mongo mongosh redis-cli",
    when: ({ program, args, input }) =>
      program.startsWith("drop") ||
      /\b(?:drop|dropDatabase|deleteMany|flushall|flushdb)\b/i.test(
        [...args, input ?? ""].join(" "),
      ),
  },
  {
    id: "git",
    level: "dangerous",
    what: "throws away work that git keeps, or rewrites what others have",
    programs: "git",
    when: losesWork,
  },
  {
    id: "containers",
    level: "dangerous",
    what: CONTAINERS,
    programs: "docker podman nerdctl docker-compose podman-compose",
    when: (call) =>
      naming("rm", "rmi", "stop", "kill", "restart", "prune", "down", "remove")(
        containerCall(call),
      ),
  },
  {
    id: "container_host",
    level: "dangerous",
    what: "talks to another container daemon, or gives a container the whole machine",
    programs: "docker podman nerdctl",
    when: ({ args }) =>
      args.some((arg, index) =>
        /^(?:-H|--host|--context)(?:=|$)/.test(arg) && index < 4 ||
        /^--(?:privileged|pid=host|network=host|cap-add=(?:all|sys_admin))/i.test(arg) ||
        /^(?:-v|--volume)?=?\/(?:etc|root|var\/run\/docker\.sock)?:/.test(arg)
      ),
  },
  {
    id: "cloud",
    level: "dangerous",
    what: CLOUD,
    programs: "kubectl oc helm",
    when: naming("delete", "drain", "uninstall", "rollback", "cordon"),
  },
  {
    id: "cloud",
    level: "dangerous",
    what: CLOUD,
    programs: "terraform tofu pulumi",
    when: (call) =>
      naming("destroy")(call) ||
      naming("apply")(call) && call.args.some((arg) => /^-auto-approve/.test(arg)),
  },
  {
    id: "cloud",
    level: "dangerous",
    what: CLOUD,
    programs: "aws gcloud gsutil az heroku fly flyctl doctl",
    when: ({ operands, args }) =>
      operands.slice(0, 6).some((word) =>
        /^(?:delete|rb|destroy|terminate|purge|remove)(?:-|$)|-delete$|:destroy$/.test(word)
      ) ||
      operands.includes("rm") && args.some((arg) => /^(?:--recursive|-r|-R)$/.test(arg)),
  },
  {
    id: "publish",
    level: "dangerous",
    what: "publishes a package, or takes one back",
    programs: "npm yarn pnpm cargo gem twine deno jsr",
    when: (call) =>
      starting("publish", "unpublish", "deprecate", "yank", "push", "upload")(call) &&
      !call.args.includes("--dry-run"),
  },
]);

function containerCall(call: ProgramCall): ProgramCall {
  const from = /-compose$/.test(call.program)
    ? 0
    : /^(?:compose|system|container|image|volume|network|builder|buildx)$/
        .test(call.operands[0] ?? "")
    ? 1
    : 0;
  const isCompose = from === 1 && call.operands[0] === "compose" || /-compose$/.test(call.program);
  // Values of options, such as the file of "-f", stand between "compose" and what it is to do.
  return { ...call, operands: isCompose ? call.operands : call.operands.slice(from, from + 1) };
}

function losesRows(text: string): boolean {
  return text.split(";").some((statement) => {
    const sql = statement.toLowerCase();
    if (/\bdrop\s{1,20}(?:table|database|schema|user|role|view|index|owned)\b/.test(sql)) {
      return true;
    }
    if (/\btruncate\s{1,20}(?:table\s{1,20})?["`[\w]/.test(sql)) return true;
    return /\bdelete\s{1,20}from\b/.test(sql) && !/\bwhere\b/.test(sql);
  });
}

function losesWork(call: ProgramCall): boolean {
  const [verb, second] = subcommand(call.args);
  const { args } = call;
  switch (verb) {
    case "push":
      return args.some((arg) =>
        /^(?:-[a-z]*f|--force.*|--delete|-d|--mirror|--prune)$/.test(arg)
      ) ||
        call.operands.some((operand) => /^[+:]./.test(operand));
    case "reset":
      return args.includes("--hard") || args.includes("--merge");
    case "clean":
      return call.has("f", "force");
    case "branch":
      return args.some((arg) => /^-[a-zA-Z]*D/.test(arg)) ||
        call.has("d", "delete") && call.has("f", "force");
    case "checkout":
    case "restore":
      return args.some((arg) => arg === "." || arg === ":/" || arg === "--force" || arg === "-f");
    case "stash":
      return second === "drop" || second === "clear";
    case "reflog":
      return second === "expire" || second === "delete";
    case "filter-branch":
    case "filter-repo":
    case "update-ref":
      return true;
    case "gc":
      return args.some((arg) => /^--prune=(?:now|all)/.test(arg));
    default:
      return false;
  }
}

// "git -C folder push": options of git itself come first, and some take a value.
function subcommand(args: readonly string[]): readonly string[] {
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    at += /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(args[at]!) ? 2 : 1;
  }
  return args.slice(at, at + 2);
}
