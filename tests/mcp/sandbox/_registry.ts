/** A registry of npm on loopback with the packages of `tests/fixtures/mcp/npm`, and a Deno folder of its own. */
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../fixtures/mcp/npm/", import.meta.url));

/** What stands behind a test that needs packages. */
export interface Registry extends AsyncDisposable {
  /** A folder of the test's own. */
  readonly base: string;
  /** The workspace in it. */
  readonly workspace: string;
  /** Names of packages that were asked for. */
  readonly asked: readonly string[];
  /** Reads variables: those of this process, with the registry's and Deno's folder. */
  readonly environment: (name: string) => string | undefined;
}

async function pack(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { success, stdout } = await new Deno.Command("tar", {
    args: ["-czf", "-", "-C", FOLDER, name],
    stdout: "piped",
  }).output();
  if (!success) throw new Error(`Cannot pack ${name}`);
  return new Uint8Array(stdout);
}

async function describe(name: string, origin: string, tarball: Uint8Array<ArrayBuffer>) {
  const manifest = JSON.parse(await Deno.readTextFile(`${FOLDER}${name}/package.json`));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-512", tarball));
  const dist = {
    tarball: `${origin}/${name}.tgz`,
    integrity: `sha512-${hash.toBase64()}`,
  };
  return {
    name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  };
}

/** Starts it. The variables are those of this process until it is disposed of. */
export async function openRegistry(): Promise<Registry> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "cloister-mcp-test-" }));
  const workspace = `${base}/work`;
  await Deno.mkdir(workspace);
  const asked: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { origin, pathname } = new URL(request.url);
      const name = decodeURIComponent(pathname.slice(1)).replace(/\.tgz$/, "");
      if (!/^cloister-test-[a-z]+$/.test(name)) return new Response("Not found", { status: 404 });
      asked.push(pathname);
      const tarball = await pack(name);
      return pathname.endsWith(".tgz")
        ? new Response(tarball)
        : Response.json(await describe(name, origin, tarball));
    },
  );
  const variables: Readonly<Record<string, string>> = {
    NPM_CONFIG_REGISTRY: `http://127.0.0.1:${server.addr.port}/`,
    DENO_DIR: `${base}/deno`,
  };
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  return {
    base,
    workspace,
    asked,
    environment: (name) => Deno.env.get(name),
    async [Symbol.asyncDispose]() {
      for (const [name, value] of before) {
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
      await server.shutdown();
      await Deno.remove(base, { recursive: true });
    },
  };
}
