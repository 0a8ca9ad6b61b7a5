/** A name server on loopback, and a network and mount namespace in which it is asked. */
import { createSocket } from "node:dgram";
import { fileURLToPath } from "node:url";

/** What a name answers: addresses by kind of record. */
export interface DnsAnswers {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
}

const A = 1;
const AAAA = 28;

/** What makes the namespace: loopback up, and this process's own resolv.conf. */
const ENTER = [
  "set -e",
  "ip link set lo up",
  'for address in $ADDRESSES; do ip address add "$address" dev lo nodad; done',
  'mount --bind "$RESOLV_CONF" /etc/resolv.conf',
  'exec "$@"',
].join("\n");

function bytesOf(address: string): Uint8Array {
  if (!address.includes(":")) return Uint8Array.from(address.split("."), Number);
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const read = (part: string) =>
    part === "" ? [] : part.split(":").map((text) => parseInt(text, 16));
  const [left, right] = [read(head), read(tail ?? "")];
  const zeros = new Array<number>(8 - left.length - right.length).fill(0);
  return Uint8Array.from(
    [...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 255]),
  );
}

function answer(query: Uint8Array, names: Readonly<Record<string, DnsAnswers>>): Uint8Array {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + query[at]!)));
    at += query[at]! + 1;
  }
  const kind = (query[at + 1]! << 8) | query[at + 2]!;
  const known = names[labels.join(".").toLowerCase()];
  const found = (kind === A ? known?.A : kind === AAAA ? known?.AAAA : undefined) ?? [];
  const code = known === undefined ? 3 : 0;
  const header = [query[0]!, query[1]!, 0x81, 0x80 | code, 0, 1, 0, found.length, 0, 0, 0, 0];
  const records = found.flatMap((address) => {
    const data = bytesOf(address);
    return [0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, data.length, ...data];
  });
  return Uint8Array.from([...header, ...query.subarray(12, at + 5), ...records]);
}

/** Answers on 127.0.0.1:53, which needs a namespace of its own. */
export async function serveNames(
  names: Readonly<Record<string, DnsAnswers>>,
): Promise<AsyncDisposable> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    socket.send(answer(query, names), port, address);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("error", reject);
  socket.bind(53, "127.0.0.1", resolve);
  await promise;
  return {
    [Symbol.asyncDispose]: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.close(resolve);
      return promise;
    },
  };
}

/** Runs a command where 127.0.0.1:53 is the name server, and loopback has more addresses. */
export async function runWithNames(
  command: readonly string[],
  addresses: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const resolvConf = await Deno.makeTempFile({ prefix: "cloister-resolv-" });
  try {
    await Deno.writeTextFile(resolvConf, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
    const { code, stdout, stderr } = await new Deno.Command("unshare", {
      args: ["--map-root-user", "--mount", "--net", "sh", "-c", ENTER, "sh", ...command],
      env: { ...env, RESOLV_CONF: resolvConf, ADDRESSES: addresses.join(" ") },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  } finally {
    await Deno.remove(resolvConf);
  }
}

// Certificates of these tests are made by the tests.
const IGNORED = ["--unsafely-ignore-certificate-errors"];

/** Runs a module of the tests there, with every permission, and reads the JSON that it prints. */
export async function runModuleWithNames(
  module: URL,
  addresses: readonly string[] = [],
  args: readonly string[] = [],
): Promise<unknown> {
  const { code, stdout, stderr } = await runWithNames(
    [Deno.execPath(), "run", "-A", "--quiet", ...IGNORED, fileURLToPath(module), ...args],
    addresses,
  );
  if (code !== 0) throw new Error(`The module ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

/** Whether such a namespace can be had here. */
export const canServeNames: boolean = Deno.build.os === "linux" &&
  await runWithNames(["true"]).then(({ code }) => code === 0, () => false);
if (!canServeNames) {
  console.log("no namespace with a name server of its own here: hostile names are not tried");
}

/** Whether certificates can be made. */
export async function hasOpenssl(): Promise<boolean> {
  try {
    return (await new Deno.Command("openssl", { args: ["version"], stdout: "null" }).output())
      .success;
  } catch {
    console.log("no openssl here: redirects over https are not tried");
    return false;
  }
}
