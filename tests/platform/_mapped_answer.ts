/** Runs where a name has a mapped answer: prints whether processes that may not reach 127.0.0.1 reach it by that name. */
import { serveNames } from "../_dns_server.ts";

await using _names = await serveNames({ "mapped.example": { AAAA: ["::ffff:127.0.0.1"] } });
await using server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  () => new Response("reached"),
);
const { port } = server.addr;

async function reach(deny: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = Deno.makeTempFileSync({ suffix: ".ts" });
  await Deno.writeTextFile(
    program,
    `console.log(await fetch("http://mapped.example:${port}/").then((r) => r.text(), () => "not reached"));`,
  );
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", `--deny-net=${deny}`, program],
    env: { ...env, NO_COLOR: "1" },
  }).output();
  await Deno.remove(program);
  return new TextDecoder().decode(stdout).trim();
}

console.log(JSON.stringify({
  range: await reach("127.0.0.0/8"),
  address: await reach("127.0.0.1"),
  mapped: await reach("[::ffff:127.0.0.1]"),
  told: await reach("127.0.0.0/8", { RES_OPTIONS: "no-aaaa" }),
}));
