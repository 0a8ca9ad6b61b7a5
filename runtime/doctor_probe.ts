/**
 * What `doctor` runs inside a cell to see whether the guarantees hold on this machine.
 * @module
 */
import process from "node:process";
import { registry } from "../core/tool.ts";

const base = {
  toolset: "doctor",
  description: "A probe of the doctor.",
  schema: { type: "object" },
} as const;

registry.register({ ...base, name: "answer", handler: () => "alive" });
registry.register({
  ...base,
  name: "read_outside",
  handler: () => Deno.readTextFile("/etc/hostname"),
});
registry.register({ ...base, name: "list_env", handler: () => Object.keys(Deno.env.toObject()) });
registry.register({
  ...base,
  name: "reach_loopback",
  handler: (args) => fetch((args as { url: string }).url).then((response) => response.text()),
});
registry.register({
  ...base,
  name: "write_file",
  handler: (args) => Deno.writeTextFile((args as { path: string }).path, "written"),
});
registry.register({
  ...base,
  name: "fill_disk",
  handler: () => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    using database = new DatabaseSync(":memory:");
    database.exec("PRAGMA temp_store=FILE; PRAGMA temp.cache_size=10; CREATE TEMP TABLE t(x)");
    database.exec("INSERT INTO temp.t SELECT zeroblob(2000000)");
    return "written";
  },
});
registry.register({
  ...base,
  name: "spin",
  handler: () => {
    while (true);
  },
});
registry.register({
  ...base,
  name: "fill_memory",
  handler: async () => {
    const kept: Uint8Array[] = [];
    while (true) {
      kept.push(new Uint8Array(4 << 20).fill(1));
      await Promise.resolve();
    }
  },
});
registry.register({
  ...base,
  name: "exit",
  handler: () => {
    Deno.exit(0);
  },
});
