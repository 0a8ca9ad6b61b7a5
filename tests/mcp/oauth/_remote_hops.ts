/** Runs where names have hostile answers: a server elsewhere redirects a login's requests, over https. */
import { join } from "node:path";
import { createAuthFetch } from "../../../mcp/oauth/auth_fetch.ts";
import { serveNames } from "../../_dns_server.ts";

await using _names = await serveNames({
  "mcp.example": { A: ["93.184.216.34"] },
  "other.example": { A: ["93.184.216.34"] },
  "inside.example": { A: ["10.1.2.3"] },
  "mcp.inside.example": { A: ["10.1.2.3"] },
  "mapped.example": { AAAA: ["::ffff:127.0.0.1"] },
  "unique-local.example": { AAAA: ["fd00::7"] },
  "both.example": { A: ["93.184.216.34", "127.0.0.1"] },
});

const folder = await Deno.makeTempDir({ prefix: "cloister-certificate-" });
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
await new Deno.Command("openssl", {
  args: ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test"]
    .concat(["-keyout", key, "-out", cert]),
  stderr: "null",
}).output();
const tls = { key: await Deno.readTextFile(key), cert: await Deno.readTextFile(cert) };
await Deno.remove(folder, { recursive: true });

const asked = new Set<string>();
const handler = (request: Request): Response => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/end") return new Response("the end");
  return new Response(null, { status: 302, headers: { location: searchParams.get("to")! } });
};
// One listener an address: which one was asked is what counts.
const servers = ["93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::7"]
  .flatMap((hostname) =>
    [{ port: 443, ...tls }, { port: 80 }].map((options) =>
      Deno.serve({ hostname, ...options, onListen() {} }, (request) => {
        asked.add(hostname);
        return handler(request);
      })
    )
  );

const followed: string[] = [];
const refused: string[] = [];
const remote = createAuthFetch("https://mcp.example/mcp");
const targets = [
  "https://other.example/end",
  "https://10.1.2.3/end",
  "https://169.254.169.254/end",
  "https://[fd00::7]/end",
  "https://localhost./end",
  "https://0.0.0.0/end",
  "https://[::ffff:7f00:1]/end",
  "https://inside.example/end",
  "https://mapped.example/end",
  "https://unique-local.example/end",
  "https://both.example/end",
  "http://other.example/end",
];
for (const to of targets) {
  try {
    await (await remote(`https://mcp.example/from?${new URLSearchParams({ to })}`)).text();
    followed.push(to);
  } catch (error) {
    if (/^Cannot use the login address/.test((error as Error).message)) refused.push(to);
    else console.error(to, error);
  }
}
const found = [...asked];

const inside: string[] = [];
const private_ = createAuthFetch("https://mcp.inside.example/mcp");
for (const to of ["https://inside.example/end", "https://10.1.2.3/end", "https://127.0.0.1/end"]) {
  const url = `https://mcp.inside.example/from?${new URLSearchParams({ to })}`;
  await private_(url).then((response) => response.text()).then(() => inside.push(to), () => {});
}
console.log(JSON.stringify({ followed, refused, asked: found, inside }));
await Promise.all(servers.map((server) => server.shutdown()));
