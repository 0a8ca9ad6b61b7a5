/**
 * What the tests of discovery share: fixtures copied into a folder of their own.
 * @module
 */
import { Discovery, type DiscoveryOptions } from "../../registry/discovery.ts";
import type {
  DiscoveredModule,
  DiscoveryOutcome,
  ToolRoot,
} from "../../registry/discovery_types.ts";
import type { ImportMap } from "../../registry/resolve.ts";

/** The checkout. */
export const PACKAGE = new URL("../../", import.meta.url).pathname.replace(/\/$/, "");
const FIXTURES = new URL("../fixtures/discovery/", import.meta.url).pathname;

/** What the fixtures may import. */
export const IMPORT_MAP: ImportMap = {
  "@cloister/cloister/tool": new URL("../../core/tool.ts", import.meta.url).href,
  "zod": "npm:zod@4.6.7",
};

/** A copy of a fixture folder with a cache folder beside it; both are removed at the end. */
export class Playground implements Disposable {
  /** The folder that holds everything. */
  readonly base: string;
  /** The tool folder. */
  readonly dir: string;
  /** The cache folder; it does not exist at first. */
  readonly cacheDir: string;
  /** The secret of the manifest. */
  readonly keyFile: string;
  /** The tool folder as a root. */
  readonly root: ToolRoot;

  constructor(fixture?: string) {
    this.base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cloister-test-" }));
    this.dir = `${this.base}/tools`;
    this.cacheDir = `${this.base}/cache`;
    this.keyFile = `${this.base}/keys/manifest.key`;
    this.root = { dir: this.dir, owner: "user" };
    if (fixture === undefined) Deno.mkdirSync(this.dir);
    else copyFolder(`${FIXTURES}${fixture}`, this.dir);
  }

  /** Writes a file of the tool folder. */
  write(relative: string, text: string): string {
    const path = `${this.dir}/${relative}`;
    Deno.writeTextFileSync(path, text);
    return path;
  }

  /** Makes a discovery over the cache folder. */
  discovery(options: Partial<DiscoveryOptions> = {}): Discovery {
    const { cacheDir, keyFile } = this;
    return new Discovery({ cacheDir, keyFile, importMap: IMPORT_MAP, ...options });
  }

  /** Discovers the tool folder as a new start of the program would. */
  async discover(options: Partial<DiscoveryOptions> = {}): Promise<DiscoveryOutcome> {
    using discovery = this.discovery(options);
    return await discovery.discover([this.root]);
  }

  [Symbol.dispose](): void {
    restoreModes(this.base);
    Deno.removeSync(this.base, { recursive: true });
  }
}

/** The module of a file. */
export function moduleAt(outcome: DiscoveryOutcome, ending: string): DiscoveredModule {
  const module = outcome.modules.find(({ path }) => path.endsWith(`/${ending}`));
  if (module === undefined) throw new Error(`There is no module ${ending}`);
  return module;
}

/** A module's error codes with their lines. */
export function errorsOf(module: DiscoveredModule): string[] {
  return module.diagnostics.filter((item) => item.severity === "error")
    .map((item) => `${item.code}:${item.line}`);
}

/** The names of a module's tools. */
export function toolNames(module: DiscoveredModule): string[] {
  return module.tools.map((tool) => tool.declaration.name);
}

/** The text of a tool file. */
export function toolText(name: string, extra = ""): string {
  return `import { registry } from "@cloister/cloister/tool";
${extra}
registry.register({
  name: ${JSON.stringify(name)},
  toolset: "fixtures",
  description: "A tool of the discovery tests.",
  schema: { type: "object" },
  handler: () => "",
});
`;
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const entry of Deno.readDirSync(from)) {
    if (entry.isDirectory) copyFolder(`${from}/${entry.name}`, `${to}/${entry.name}`);
    else Deno.copyFileSync(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

function restoreModes(dir: string): void {
  Deno.chmodSync(dir, 0o700);
  for (const entry of Deno.readDirSync(dir)) {
    if (entry.isDirectory) restoreModes(`${dir}/${entry.name}`);
  }
}
