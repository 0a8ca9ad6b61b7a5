import assert from "node:assert/strict";
import { childEnvironment } from "../../../mcp/sandbox/child_env.ts";
import { readServers } from "../../../mcp/config/read_servers.ts";
import { ServerLauncher } from "../../../mcp/sandbox/server_launcher.ts";

const MINE: Readonly<Record<string, string>> = {
  PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
  HOME: "/home/me",
  USER: "me",
  LANG: "C",
  LC_ALL: "C",
  TERM: "dumb",
  SHELL: "/bin/sh",
  TMPDIR: "/tmp",
  XDG_CONFIG_HOME: "/home/me/.config",
  GITHUB_TOKEN: "secret-1",
  AWS_SECRET_ACCESS_KEY: "secret-2",
  OPENAI_API_KEY: "secret-3",
  LD_PRELOAD: "/evil.so",
  NODE_OPTIONS: "--require /evil.js",
  SSH_AUTH_SOCK: "/tmp/agent",
};
const environment = (name: string): string | undefined =>
  Object.hasOwn(MINE, name) ? MINE[name] : undefined;

Deno.test("childEnvironment() hands on what programs need and what is configured, and no key [case 111]", () => {
  const env = childEnvironment({ GITHUB_TOKEN: "given", HOME: "/elsewhere" }, environment);
  assert.deepEqual(Object.keys(env).toSorted(), [
    "GITHUB_TOKEN",
    "HOME",
    "LANG",
    "LC_ALL",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "USER",
    "XDG_CONFIG_HOME",
  ]);
  assert.equal(env.GITHUB_TOKEN, "given");
  assert.equal(env.HOME, "/elsewhere");
});

Deno.test("childEnvironment() hands on no function of a shell [case 111]", () => {
  const env = childEnvironment({}, (name) => name === "TERM" ? "() { :; }; evil" : undefined);
  assert.deepEqual(env, {});
});

Deno.test("ServerLauncher starts an unsandboxed program without keys of the operator [case 111]", async () => {
  const entry = { command: "sh", args: ["-c", "env"], env: { CONFIGURED: "yes" } };
  const { servers } = readServers({ it: entry }, { environment, origin: "config" });
  await using launcher = new ServerLauncher(servers[0]!, {
    cacheDir: "/nowhere",
    workspace: "/tmp",
    environment,
    log: () => {},
  });
  const { command, args, env, cwd } = await launcher.launch();
  const { stdout } = await new Deno.Command(command, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    cwd,
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.match(text, /^CONFIGURED=yes$/m);
  assert.doesNotMatch(text, /secret|LD_PRELOAD|NODE_OPTIONS|SSH_AUTH/);
});
