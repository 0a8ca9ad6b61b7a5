import assert from "node:assert/strict";
import { exists, git, holds, listenOnSocket, startContained } from "./_container.ts";

const ignore = !await holds();

/** A test of commands in a container. */
function contained(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore, fn });
}

contained(
  "terminal runs what it is given in a container, unasked: shell, pipes, git, and a HOME that stays",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    assert.match(
      await run("for f in a b; do echo $f > $f.txt; done; cat *.txt | sort -r"),
      /\nb\na\n$/,
    );
    assert.match(
      await run("git add -A && git commit -qm first && git log --format=%s"),
      /\nfirst\n$/,
    );
    assert.equal(await git(space, "log", "--format=%s"), "first\n");
    assert.match(await run("echo kept > ~/note; exit 3"), /^\[exit_code 3, /);
    assert.match(
      await run("cat ~/note; pwd", { workdir: "deep" }),
      new RegExp(`\nkept\n${space}/deep\n$`),
    );
    assert.match(
      await run("rm -rf deep/x; mkdir -p deep/x && cd deep/x && ls -a"),
      /\n\.\n\.\.\n$/,
    );
    assert.deepEqual(test.asked, []);
  },
);

contained("attack [A32] a command in the container sees nothing else of the machine", async () => {
  await using test = await startContained();
  const { run, base } = test;
  await using _server = await listenOnSocket(`${base}/docker.sock`);
  const tries = [
    `cat ${base}/home/secret`,
    `test -e ${base}/docker.sock`,
    "cat /etc/shadow",
    "ls /root /var /opt /srv",
    "echo x > /usr/written",
    `mount -o remount,rw,bind /usr && touch /usr/written`,
    `mount -o remount,rw,bind ${test.space}/tools`,
    `unshare --user --map-root-user mount -t tmpfs none ${test.space}/tools`,
    "echo x >> /proc/sys/kernel/core_pattern",
    "mknod disk b 254 0 && cat disk",
    `kill -0 ${Deno.pid}`,
    "find / -xdev -type s | grep .",
  ];
  for (const command of tries) {
    assert.doesNotMatch(await run(command), /exit_code 0|hunter2/, command);
  }
  // What stands for the folder above the workspace is the container's own, and goes with it.
  await run(`echo x > ${base}/written; echo x > /tmp/cloister-written`);
  assert.ok(
    !exists(`${base}/written`) && !exists("/tmp/cloister-written") && !exists("/usr/written"),
  );
  const seen = await run("tr '\\0' '\\n' < /proc/1/environ; env; ls /proc/self/fd");
  assert.doesNotMatch(seen, new RegExp(`${Deno.env.get("PATH")}|hunter2`));
  // The last one is the folder that is being listed.
  assert.match(seen, /\n0\n1\n2\n3\n$/);
});

contained(
  "attack [A32] a command in the container has no network; a yes opens it, and only it",
  async () => {
    using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const connections: Deno.Conn[] = [];
    const accepting = (async () => {
      for await (const connection of server) connections.push(connection);
    })();
    const command =
      `exec 5<>/dev/tcp/127.0.0.1/${server.addr.port} && echo connected; cat ~/../home/secret`;
    {
      await using test = await startContained();
      assert.doesNotMatch(await test.run(command), /connected/);
      const denied = await test.call({ command, network: true });
      assert.equal(denied.error?.code, "approval_denied");
      assert.match(test.asked.join(), /asks for the network/);
      assert.equal(connections.length, 0);
    }
    {
      await using test = await startContained({ answer: "once" });
      const opened = await test.run(command, { network: true });
      assert.match(opened, /connected/);
      assert.doesNotMatch(opened, /hunter2/);
    }
    server.close();
    await accepting.catch(() => {});
    for (const connection of connections) connection.close();
  },
);

contained(
  "attack [A30] a command in the container cannot write what decides what runs outside",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    await Deno.writeTextFile(`${space}/cloister.json`, "{}");
    const tries = [
      "cd tools && ls > x.ts",
      "echo x > deep/roots/x.ts",
      "echo '{}' > cloister.json",
      "rm cloister.json",
      "echo x > .git/hooks/post-checkout",
      "git config core.fsmonitor ./evil",
      "mv .git old",
      "mv deep other",
      "mv .git/hooks .git/other",
      "rm -rf tools",
      "ln -sf /tmp/x cloister.json",
      "mv cloister.json x",
      "echo x > .git/config",
    ];
    for (const command of tries) assert.doesNotMatch(await run(command), /exit_code 0/, command);
    assert.equal(await Deno.readTextFile(`${space}/cloister.json`), "{}");
    assert.deepEqual([...Deno.readDirSync(`${space}/tools`)], []);
    assert.deepEqual([...Deno.readDirSync(`${space}/deep/roots`)], []);
    assert.match(await git(space, "config", "user.name"), /^Test$/m);
    // And the twin: beside them everything can be written.
    assert.match(
      await run("mkdir src && echo x > src/a.ts && echo y > deep/b && touch .git/note"),
      /exit_code 0/,
    );
  },
);

contained(
  "attack [A30] what appears in the container where it decides what runs outside is moved aside, and told",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    const made = await run(
      "echo '{}' > cloister.json; mkdir evil; echo ../evil > .git/commondir; echo x > mcp.lock",
    );
    for (const name of ["cloister.json", ".git/commondir", "mcp.lock"]) {
      assert.ok(made.includes(`"${name}" appeared: it decides what runs outside`), made);
      assert.ok(!exists(`${space}/${name}`), name);
    }
    const link = await run("ln -s /tmp .git/modules; mkdir -p .git/worktrees/w");
    assert.match(link, /"\.git\/modules" appeared[\s\S]*"\.git\/worktrees" appeared/);
    assert.doesNotMatch(await run("echo harmless > other.json"), /appeared/);
  },
);

contained(
  "attack [A30] git outside starts no program that a command in the container put into a repository",
  async () => {
    await using test = await startContained();
    const { run, space, base } = test;
    const evil = `printf '#!/bin/sh\\ntouch ${base}/started\\n' > evil.sh; chmod +x evil.sh`;
    const nest = (folder: string) =>
      `git init -q ${folder}; git -C ${folder} commit -q --allow-empty -m x; ` +
      `git -C ${folder} config core.fsmonitor ${space}/evil.sh; git add ${folder} 2>/dev/null`;
    const told = await run(
      `git config --global user.email a@b; git config --global user.name n; ${evil}; ${
        nest("sub")
      }`,
    );
    assert.match(told, /"sub\/\.git" appeared/);
    await git(space, "status");
    assert.ok(!exists(`${base}/started`));
    // The same, written in the shorter form of the index, and in two parts of it.
    const forms = ["--index-version 4", "--split-index"];
    for (const [index, form] of forms.entries()) {
      const folder = `folder/sub${index}`;
      const again = await run(
        `git update-index ${form}; ${nest(folder)}; git update-index ${form}`,
      );
      assert.ok(again.includes(`"${folder}/.git" appeared`), again);
      await git(space, "status");
      assert.ok(!exists(`${base}/started`));
    }
  },
);

contained(
  "attack [A30] hooks and configuration that a repository keeps among its files cannot be written",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    await Deno.mkdir(`${space}/.husky`);
    await Deno.writeTextFile(`${space}/.gitconfig`, "");
    await git(space, "config", "core.hooksPath", ".husky");
    await git(space, "config", "include.path", "../.gitconfig");
    for (const command of ["echo x > .husky/pre-commit", "echo x > .gitconfig", "mv .husky x"]) {
      assert.doesNotMatch(await run(command), /exit_code 0/, command);
    }
    await git(space, "init", "-q", "--separate-git-dir", `${space}/meta`);
    for (
      const command of ["echo x > meta/config", "echo x > meta/hooks/x", "rm .git", "mv meta x"]
    ) {
      assert.doesNotMatch(await run(command), /exit_code 0/, command);
    }
    assert.match(await run("git commit -q --allow-empty -m twin"), /exit_code 0/);
    assert.match(await run("echo meta2 > meta/commondir"), /"meta\/commondir" appeared/);
  },
);

contained(
  "attack [A30] a repository that is made in the container keeps what starts nothing",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    await Deno.remove(`${space}/.git`, { recursive: true });
    assert.doesNotMatch(await run("git init -q && ls .git/config"), /appeared/);
    assert.ok(exists(`${space}/.git/config`) && exists(`${space}/.git/hooks`));
    await Deno.remove(`${space}/.git`, { recursive: true });
    const told = await run(
      "git init -q; git config core.fsmonitor ./evil; echo x > .git/hooks/post-commit",
    );
    assert.match(told, /"\.git\/hooks" appeared/);
    assert.match(told, /"\.git\/config" appeared/);
    await Deno.remove(`${space}/.git`, { recursive: true });
    assert.match(await run("echo 'gitdir: evil' > .git"), /"\.git" appeared/);
  },
);

contained(
  "attack [A30] a command that is ended by force leaves nothing where it must not",
  async () => {
    await using test = await startContained();
    const command = "while :; do echo '{}' > cloister.json; done >/dev/null 2>&1";
    for (const timeoutMs of [undefined, 2_500]) {
      // The terminal ends it by itself, and in the second round is not given the time to.
      const timeout = timeoutMs === undefined ? 1 : 60;
      const { content, ok } = await test.call({ command, timeout }, { timeoutMs });
      assert.match(content, /cloister\.json\W+ appeared/, content);
      assert.equal(ok, timeoutMs === undefined);
      assert.ok(!exists(`${test.space}/cloister.json`));
    }
  },
);

contained(
  "attack [A10] a command in the container neither outlasts its call nor stops anybody else",
  async () => {
    await using test = await startContained();
    const { run, space } = test;
    const leave = (way: string) =>
      `(${way} sh -c 'while :; do echo x >> beat; sleep 0.05; done' &) >/dev/null 2>&1`;
    const started = await run(
      `${
        ["setsid", "nohup", ""].map(leave).join("; ")
      }; until [ -s beat ]; do sleep 0.01; done; echo started`,
    );
    assert.match(started, /started/);
    const { size } = await Deno.stat(`${space}/beat`);
    assert.match(
      await run("sleep 0.3; kill -STOP 1; kill -STOP $PPID; kill -KILL $PPID; echo on"),
      /on\n/,
    );
    assert.equal((await Deno.stat(`${space}/beat`)).size, size);
    const stopped = await run("kill -STOP $$", { timeout: 1 });
    assert.match(stopped, /^\[timed out after 1 s/);
    assert.match(await run("ulimit -c; ulimit -u"), /\n0\n4096\n$/);
    assert.match(
      await run("echo x > /dev/file; df --output=size /tmp /dev/shm"),
      /4194304\n *1048576\n$/,
    );
  },
);

contained(
  "terminal refuses accidents in a container too, where they would empty the workspace",
  async () => {
    await using test = await startContained({ answer: "always" });
    for (const command of ["rm -rf /", "sudo rm -rf /*", "rm -rf ~"]) {
      assert.equal((await test.call({ command })).error?.code, "approval_denied", command);
    }
    assert.ok(exists(`${test.space}/tools`));
  },
);

Deno.test("terminal asks where no container holds, and where the configuration hides it", async () => {
  await using test = await startContained({ isAsked: true });
  const { error } = await test.call({ command: "make" });
  assert.equal(error?.code, "approval_denied");
  assert.match(test.asked.join(), /"make" is not on the list of harmless programs/);
  assert.match(await test.run("ls > listing; cat listing"), /deep\nlisting\ntools\n$/);
});

Deno.test("terminal's definition, explain() and doctor() say which of the two holds", async () => {
  for (const isAsked of [true, ignore]) {
    await using test = await startContained({ isAsked });
    const { tools } = await test.runtime.getDefinitions({ toolsets: ["terminal"] });
    const { description } = tools[0]!.function;
    const { commands } = await test.runtime.explain("terminal");
    const { checks } = await test.runtime.doctor({ quick: true });
    const check = checks.find(({ id }) => id === "commands-contained")!;
    assert.match(description, isAsked ? /A person approves each command/ : /run in a container/);
    assert.match(commands!, isAsked ? /^asked about, .*: / : /^run in a container$/);
    assert.equal(check.status, isAsked ? "skip" : "pass");
  }
});
