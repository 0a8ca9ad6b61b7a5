import { openStdio } from "/work/main/bench/harness/mcp_client.ts";
const which = Deno.args[0]!;
const era = Deno.args[1] as any;
const prof = Deno.args[2] === "prof" ? ["--cpu-prof", "--cpu-prof-dir=/tmp/p4/prof"] : [];
const cmds: any = {
  ours: ["bench/subjects/mcp_inline.ts", "stdio"],
  sdk: ["bench/peers/mcp_sdk_stdio.ts", "1"],
};
const c = await openStdio(
  {
    program: Deno.execPath(),
    args: ["run", "-A", "--quiet", ...prof, ...cmds[which]],
    cwd: "/work/main",
  } as any,
  era,
);
const t: number[] = [];
for (let i = 0; i < 8000; i++) {
  const s = performance.now();
  await c.echo("a text of the length that arguments often have");
  t.push(performance.now() - s);
}
const med = (x: number[]) => (x.toSorted((a, b) => a - b)[x.length >> 1]! * 1000).toFixed(0);
console.log(
  which,
  era,
  "first 1000",
  med(t.slice(0, 1000)),
  "500-1500",
  med(t.slice(500, 1500)),
  "last 4000",
  med(t.slice(4000)),
);
await c[Symbol.asyncDispose]();
