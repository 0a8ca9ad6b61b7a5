/**
 * How `web_extract` fetches.
 * @module
 */
import assert from "node:assert/strict";
import { openTool } from "./_open_tool.ts";
import { html, LOREM, page, withSite } from "./_site.ts";

Deno.test("web_extract follows redirects on the same host and port", async () => {
  await withSite((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/end") return html("arrived", "text/plain");
    return new Response(null, {
      status: 302,
      headers: { location: pathname === "/a" ? "b?x=1" : "/end" },
    });
  }, async (site) => {
    const { body, structured } = await site.extract("/a");
    assert.equal(body, "arrived");
    assert.equal(structured.url, `${site.origin}/end`);
    assert.deepEqual(site.requests, ["/a", "/b", "/end"]);
  });
});

Deno.test("web_extract names the target of a redirect to another host or port and does not go there", async () => {
  let reached = 0;
  await using other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    reached++;
    return new Response("secret");
  });
  const targets: Record<string, string> = {
    "/port": `http://127.0.0.1:${other.addr.port}/secret`,
    "/host": "http://elsewhere.example/page?q=1",
    "/metadata": "http://169.254.169.254/latest/meta-data/",
    "/file": "file:///etc/hostname",
    "/user": "//name:word@",
  };
  await withSite((request) => {
    const url = new URL(request.url);
    const location = url.pathname === "/user"
      ? `${targets["/user"]}${url.host}/`
      : targets[url.pathname]!;
    return new Response("moved", { status: 301, headers: { location } });
  }, async (site) => {
    for (const path of ["/port", "/host", "/metadata"]) {
      const message = await site.fails(path, /leads to another host or port/);
      assert.ok(message.includes(`call web_extract again with url "${targets[path]}"`), message);
    }
    await site.fails("/file", /not http or https/);
    await site.fails("/user", /holds user name or password/);
    assert.equal(reached, 0);
  });
});

Deno.test("web_extract gives up after five redirects", async () => {
  await withSite(
    (request) => Response.redirect(`${request.url}x`, 307),
    async (site) => {
      await site.fails("/", /more than 5 redirects/);
      assert.equal(site.requests.length, 6);
    },
  );
});

Deno.test("web_extract reaches no host but the granted one", async () => {
  let reached = 0;
  await using other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    reached++;
    return new Response("secret");
  });
  await withSite(() => new Response(""), async (site) => {
    const answer = await site.tool.call({ url: `http://127.0.0.1:${other.addr.port}/` });
    assert.ok(!answer.ok);
    assert.equal(answer.error.name, "NotCapable");
    assert.equal(reached, 0);
  });
});

Deno.test("web_extract refuses addresses that are not plain http or https", async () => {
  await withSite(() => new Response(""), async ({ tool, requests }) => {
    const cases: [string, RegExp][] = [
      ["example.com", /expected an absolute URL/],
      ["file:///etc/hostname", /only http and https/],
      ["http://name:word@127.0.0.1/", /user name or password is refused/],
    ];
    for (const [url, expected] of cases) {
      const answer = await tool.call({ url });
      assert.ok(!answer.ok);
      assert.match(answer.error.message, expected);
      assert.doesNotMatch(answer.error.message, /word@/);
    }
    assert.deepEqual(requests, []);
  });
});

Deno.test("web_extract stops reading a body of over 5 MB", async () => {
  let sent = 0;
  await withSite((request) => {
    if (new URL(request.url).pathname === "/announced") {
      return html("x".repeat(5_242_881), "text/plain");
    }
    const chunk = new TextEncoder().encode("y".repeat(65_536));
    const stream = new ReadableStream({
      pull(controller) {
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return new Response(stream, { headers: { "content-type": "text/plain" } });
  }, async (site) => {
    await site.fails("/announced", /5242881 bytes, at most 5242880/);
    await site.fails("/endless", /more than 5242880 bytes/);
    assert.ok(sent < 50_000_000, `the server sent ${sent} bytes`);
  });
});

Deno.test("web_extract counts a compressed body by its real size", async () => {
  const zipped = await new Response(
    new Blob(["z".repeat(6_000_000)]).stream().pipeThrough(new CompressionStream("gzip")),
  ).bytes();
  await withSite(
    () =>
      new Response(zipped, {
        headers: { "content-encoding": "gzip", "content-type": "text/plain" },
      }),
    async (site) => {
      assert.ok(zipped.length < 20_000);
      await site.fails("/", /more than 5242880 bytes/);
    },
  );
});

Deno.test("web_extract reports a status that is not 2xx with a short excerpt", async () => {
  const big = page(
    "<title>Gone</title><script>x()</script>",
    `<h1>No such page</h1>${LOREM}${LOREM}`,
  );
  await withSite((request) => {
    if (new URL(request.url).pathname === "/500") return new Response("down", { status: 503 });
    return new Response(big, { status: 404, headers: { "content-type": "text/html" } });
  }, async (site) => {
    const message = await site.fails("/", /the server answered 404 Not Found: No such page Lorem/);
    assert.ok(message.length < 450, `${message.length} characters`);
    assert.doesNotMatch(message, /x\(\)|<h1>/);
    await site.fails("/500", /the server answered 503 Service Unavailable: down/);
  });
});

Deno.test("web_extract ends when the call is cancelled", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  await withSite(() => {
    asked.resolve();
    return answer.promise;
  }, async (site) => {
    const abort = new AbortController();
    const call = site.tool.call({ url: site.origin }, abort.signal);
    await asked.promise;
    abort.abort();
    const ended = await call;
    assert.ok(!ended.ok);
    assert.equal(ended.error.name, "AbortError");
    answer.resolve(new Response("late"));
  });
});

Deno.test("web_extract says that a host does not answer", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  using tool = await openTool("web_extract", { net: [`127.0.0.1:${port}`] }, "/");
  const answer = await tool.call({ url: `http://127.0.0.1:${port}/` });
  assert.ok(!answer.ok);
  assert.equal(answer.error.name, "ToolError");
  assert.match(answer.error.message, new RegExp(`Cannot fetch "http://127.0.0.1:${port}/": `));
});

Deno.test("web_extract declares the URL's host alone as its grant", async () => {
  using tool = await openTool("web_extract", {}, "/");
  const { name, toolset, emoji, permissions, annotations } = tool.declaration;
  assert.deepEqual([name, toolset, emoji], ["web_extract", "web", "📄"]);
  assert.deepEqual(permissions, { net: ["$ARG.url"] });
  assert.deepEqual(annotations, { readOnlyHint: true, idempotentHint: true, openWorldHint: true });
});
