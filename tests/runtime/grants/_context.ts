import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Ceiling, GrantContext } from "../../../runtime/grants/mod.ts";

/** A temp folder with `ws/`, `tool/`, `data/`, `tmp/`, `out/`, and a context that points there. */
export class Folders implements Disposable {
  readonly root: string = realpathSync(Deno.makeTempDirSync({ prefix: "cloister_grants_" }));

  constructor() {
    for (const name of ["ws/sub", "tool", "data", "tmp", "out", "bin"]) {
      Deno.mkdirSync(join(this.root, name), { recursive: true });
    }
  }

  at(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  context(...ceilings: Ceiling[]): GrantContext {
    return {
      workspace: this.at("ws"),
      toolDir: this.at("tool"),
      dataDir: this.at("data"),
      tmpDir: this.at("tmp"),
      path: this.at("bin"),
      ceilings,
    };
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** A ceiling of the name "op". */
export function ceiling(rest: Omit<Ceiling, "source">): Ceiling {
  return { ...rest, source: "op" };
}
