import assert from "node:assert/strict";
import {
  containerCommand,
  type ContainerContent,
} from "../../../runtime/container/container_command.ts";
import { probeContainer } from "../../../runtime/container/probe_container.ts";
import { probeContainment } from "../../../workers/containment.ts";
import { holds, withFolder } from "./_container.ts";

/** The container's command without some of its words. */
function without(...left: readonly string[]): (content: ContainerContent) => readonly string[] {
  return (content) => {
    const command = [...containerCommand(content)];
    for (const words of left.map((text) => text.split(" "))) {
      const at = command.findIndex((_, index) =>
        words.every((word, next) => command[index + next] === word)
      );
      assert.ok(at >= 0, words.join(" "));
      command.splice(at, words.length);
    }
    return command;
  };
}

const ignore = !await holds();

Deno.test({
  name: "probeContainer() finds that the container holds, also inside of a cell",
  ignore,
}, async () => {
  await withFolder(async (folder) => {
    assert.equal(await probeContainer({ folder }), undefined);
    if (await probeContainment(Deno.env.get("PATH") ?? "") === "namespace") {
      assert.equal(await probeContainer({ folder, isNested: true }), undefined);
    }
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  });
});

Deno.test({
  name: "attack [A32] probeContainer() sees each thing that holds a command missing",
  ignore,
}, async () => {
  const isRoot = Deno.uid() === 0;
  const weaker: [left: string, found: RegExp][] = [
    ["--disable-userns", /makes a user namespace/],
    ["--unshare-all", /has the network/],
    ["/usr/bin/env -i", /has variables of its parent/],
    // Whoever is not root cannot write there anyway.
    ...isRoot ? [["--remount-ro /proc", /changes settings of the kernel/] as [string, RegExp]] : [],
  ];
  await withFolder(async (folder) => {
    for (const [left, found] of weaker) {
      assert.match(await probeContainer({ folder, build: without(left) }) ?? "held", found, left);
    }
    const open = (content: ContainerContent) => containerCommand(content).slice(4);
    assert.match(await probeContainer({ folder, build: open }) ?? "held", /has descriptors/);
    const writable = (content: ContainerContent) => containerCommand({ ...content, readOnly: [] });
    assert.match(
      await probeContainer({ folder, build: writable }) ?? "held",
      /writes to a protected/,
    );
    const loose = (content: ContainerContent) => containerCommand({ ...content, pinned: [] });
    assert.match(
      await probeContainer({ folder, build: loose }) ?? "held",
      /moves the folder above/,
    );
    const shown = (content: ContainerContent) => {
      const command = [...containerCommand(content)];
      const above = content.workspace.replace(/\/[^/]*$/, "");
      command.splice(
        command.indexOf("--remount-ro"),
        0,
        "--bind",
        `${above}/outside`,
        `${above}/outside`,
      );
      return command;
    };
    assert.match(
      await probeContainer({ folder, build: shown }) ?? "held",
      /writes outside.*reads outside/,
    );
  });
});

Deno.test("probeContainer() says why where bubblewrap cannot be started", async () => {
  await withFolder(async (folder) => {
    const build = () => ["/nowhere/bwrap", "--"];
    assert.match(
      await probeContainer({ folder, build }) ?? "",
      /does not start: .*\/nowhere\/bwrap/,
    );
  });
  assert.match(await probeContainer({ folder: "/proc/none" }) ?? "", /cannot be made/);
});
