/**
 * What a held tool file changes, for a person to read.
 * @module
 */
import type { HeldModule } from "./held_files.ts";
import type { HeldChange } from "./runtime_types.ts";

/**
 * Describes a held module.
 *
 * @param held The module, and what it was.
 * @returns The difference of its files and of what its tools declare.
 */
export async function describeHeld({ now, before }: HeldModule): Promise<HeldChange> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const patches = now.admitted!.files.map(({ path, stored }) => {
    const known = before?.files.find((file) => file.path === path)?.stored;
    const [old, text] = [known === undefined ? "" : read(known), read(stored)];
    const name = known === undefined ? "/dev/null" : path;
    return old === text ? "" : createTwoFilesPatch(name, path, old, text, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
    });
  });
  const declared = now.tools.map(({ declaration: { name, permissions } }) =>
    [name, permissions ?? {}] as const
  );
  return {
    path: now.path,
    integrity: now.admitted!.integrity,
    permissions: Object.fromEntries(declared),
    ...(before && { before: before.permissions }),
    patch: patches.join(""),
  };
}

// A copy that has gone is shown as if the file were new: more to read, and nothing left out.
function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
