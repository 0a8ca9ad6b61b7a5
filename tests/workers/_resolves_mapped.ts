/** Runs where a name has a mapped answer: prints what a process resolves it to, told of `no-aaaa` or not. */
import { RESOLVER_ENV } from "../../core/host_names.ts";
import { serveNames } from "../_dns_server.ts";

await using _names = await serveNames({ "mapped.example": { AAAA: ["::ffff:127.0.0.1"] } });

const PROGRAM = `
import { lookup } from "node:dns/promises";
const found = await lookup("mapped.example", { all: true }).catch(() => []);
console.log(JSON.stringify(found.map(({ address }) => address)));
`;

async function resolved(env: Readonly<Record<string, string>>): Promise<unknown> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", PROGRAM],
    env: { ...env, NO_COLOR: "1" },
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

console.log(JSON.stringify({ without: await resolved({}), with: await resolved(RESOLVER_ENV) }));
