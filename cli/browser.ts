/**
 * Opening a page in the person's browser.
 * @module
 */

/** The program that opens pages, and what it wants before the address. */
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  windows: ["rundll32", "url.dll,FileProtocolHandler"],
};
const OTHER = ["xdg-open"] as const;

/**
 * Opens a page, where this process may start the program for that. No shell sees the address.
 *
 * @param url The page.
 * @returns Whether the program was started.
 */
export async function openPage(url: URL): Promise<boolean> {
  const [program, ...args] = OPENERS[Deno.build.os] ?? OTHER;
  const { state } = await Deno.permissions.query({ name: "run", command: program });
  if (state !== "granted") return false;
  try {
    const child = new Deno.Command(program, {
      args: [...args, url.href],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    child.unref();
    return true;
  } catch {
    return false;
  }
}
