import assert from "node:assert/strict";
import { type Answer, type OpenTool, openTool } from "./_open_tool.ts";

interface Reply {
  readonly text: string;
  readonly body: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly blocks: readonly { readonly type: string; readonly data?: string }[];
}

interface Site {
  readonly origin: string;
  readonly requests: string[];
  readonly tool: OpenTool;
  extract(path: string, options?: object): Promise<Reply>;
  fails(path: string, expected: RegExp): Promise<string>;
}

type Handler = (request: Request) => Response | Promise<Response>;

const LOREM = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. "
  .repeat(8);

function page(head: string, body: string): string {
  return `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
}

function html(text: string | Uint8Array<ArrayBuffer>, type = "text/html"): Response {
  return new Response(text, { headers: { "content-type": type } });
}

function toReply(answer: Answer): Reply {
  if (!answer.ok) throw new Error(answer.error.message);
  const { content, structuredContent } = answer.value as {
    content: { type: string; text?: string; data?: string }[];
    structuredContent: Record<string, unknown>;
  };
  const text = content[0]!.text ?? "";
  const body = text.slice(text.indexOf("\n\n") + 2);
  return { text, body, structured: structuredContent, blocks: content };
}

async function withSite(handler: Handler, body: (site: Site) => Promise<void>): Promise<void> {
  const requests: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      requests.push(new URL(request.url).pathname);
      return handler(request);
    },
  );
  const host = `127.0.0.1:${server.addr.port}`;
  using tool = await openTool("web_extract", { net: [host] }, "/");
  const origin = `http://${host}`;
  await body({
    origin,
    requests,
    tool,
    extract: async (path, options) =>
      toReply(await tool.call({ url: new URL(path, origin).href, ...options })),
    async fails(path, expected) {
      const answer = await tool.call({ url: new URL(path, origin).href });
      assert.ok(!answer.ok, "the call should have failed");
      assert.match(answer.error.message, expected);
      return answer.error.message;
    },
  });
}

Deno.test("web_extract writes a page as Markdown with title, address and length", async () => {
  const content = `<nav>Home Imprint</nav><article><h1>Head &amp; line</h1>
    <p>Some <b>bold</b> words and a <a href="/next">link</a>. ${LOREM}</p>
    <pre><code class="language-js">let a = 1;\nlet b;</code></pre>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></article>`;
  await withSite(() => html(page("<title>The title</title>", content)), async (site) => {
    const { text, body, structured } = await site.extract("/page");
    assert.match(
      text,
      new RegExp(`^Title: The title\\nURL: ${site.origin}/page\\nLength: \\d+ char`),
    );
    assert.match(body, /## Head & line/);
    assert.ok(body.includes(`Some **bold** words and a [link](${site.origin}/next).`));
    assert.ok(body.includes("```js\nlet a = 1;\nlet b;\n```"));
    assert.ok(body.includes("| a | b |\n| --- | --- |\n| 1 | 2 |"));
    assert.equal(structured.title, "The title");
    assert.equal(structured.chars, body.length);
    assert.equal(structured.cut, false);
  });
});

Deno.test("web_extract reads small pages, lists and fragments without an article", async () => {
  const pages: Record<string, string> = {
    "/small": page("<title>Small</title>", "<h1>Hello</h1><p>World</p>"),
    "/list": page("", `<ul><li><a href="a">First</a></li><li><a href="b">Second</a></li></ul>`),
    "/fragment": "<p>Only <i>this</i></p>",
  };
  await withSite((request) => html(pages[new URL(request.url).pathname]!), async (site) => {
    assert.match((await site.extract("/small")).body, /Hello\n\nWorld/);
    const list = (await site.extract("/list")).body;
    assert.ok(list.includes(`[First](${site.origin}/a)`) && list.includes("[Second]"), list);
    assert.equal((await site.extract("/fragment")).body, "Only *this*");
  });
});

Deno.test("web_extract drops scripts and what no reader sees", async () => {
  const content = `<article><h1>Visible</h1><p>${LOREM}</p>
    <p style="color: red; display : none">SECRET1</p><p hidden>SECRET2</p>
    <div style="visibility:hidden">SECRET3</div><span style="font-size:0px">SECRET4</span>
    <span style="opacity:0">SECRET5</span><template>SECRET6</template><!-- SECRET7 -->
    <script>SECRET8</script><style>.SECRET9{}</style>
    <p style="opacity:0.5">faint but seen</p><p style="font-size:0.9em">small but seen</p></article>`;
  const head = `<script type="application/ld+json">{"articleBody":"SECRET10"}</script>`;
  await withSite(() => html(page(head, content)), async (site) => {
    for (const format of ["markdown", "text"]) {
      const { text } = await site.extract("/", { format });
      assert.doesNotMatch(text, /SECRET/);
      assert.match(text, /Visible/);
      assert.match(text, /faint but seen/);
      assert.match(text, /small but seen/);
    }
  });
});

Deno.test("web_extract writes plain text when asked", async () => {
  const content =
    `<article><h1>Head</h1><p>One <b>bold</b>\n word. ${LOREM}</p><ul><li>x</li><li>y</li></ul>
    <pre>a  b\n  c</pre></article>`;
  await withSite(() => html(page("<title>T</title>", content)), async (site) => {
    const { body } = await site.extract("/", { format: "text" });
    assert.match(body, /^Head\n/);
    assert.match(body, /One bold word\. Lorem/);
    assert.match(body, /x\n+y\n/);
    assert.match(body, /a {2}b\n {2}c$/);
  });
});

Deno.test("web_extract cuts at char_limit and says so, never inside a surrogate pair", async () => {
  await withSite(() => html("ab😀cd", "text/plain; charset=utf-8"), async (site) => {
    const { body, structured } = await site.extract("/", { char_limit: 3 });
    assert.equal(body, "ab\n\n[cut at char_limit: 2 of 6 characters]");
    assert.equal(structured.cut, true);
    assert.equal((await site.extract("/", { char_limit: 6 })).body, "ab😀cd");
  });
});

Deno.test("web_extract takes the charset from header, byte order mark, meta or XML declaration", async () => {
  const latin = Uint8Array.from("<p>caf\xe9</p>", (c) => c.charCodeAt(0));
  const meta = Uint8Array.from(`<meta charset="iso-8859-1"><p>caf\xe9</p>`, (c) => c.charCodeAt(0));
  const wide = new Uint8Array([0xff, 0xfe, ...[..."café"].flatMap((c) => [c.charCodeAt(0), 0])]);
  const xml = Uint8Array.from(
    `<?xml version="1.0" encoding="latin1"?><a>caf\xe9</a>`,
    (c) => c.charCodeAt(0),
  );
  const answers: Record<string, Response> = {
    "/header": html(latin, 'text/html; charset="ISO-8859-1"'),
    "/meta": html(meta),
    "/bom": html(wide, "text/plain; charset=utf-8"),
    "/xml": html(xml, "application/xml"),
    "/unknown": html(new TextEncoder().encode("<p>café</p>"), "text/html; charset=klingon"),
  };
  await withSite((request) => answers[new URL(request.url).pathname]!, async (site) => {
    for (const path of Object.keys(answers)) {
      assert.match((await site.extract(path)).body, /café/, path);
    }
  });
});

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

Deno.test("web_extract shows JSON in a fenced block and keeps long numbers", async () => {
  const bodies: Record<string, Response> = {
    "/a": html('{"id":12345678901234567890,"list":[1.50,true]}', "application/json"),
    "/broken": html('{"a": ', "application/problem+json"),
    "/ticks": html('"```"', "text/json"),
  };
  await withSite((request) => bodies[new URL(request.url).pathname]!, async (site) => {
    assert.equal(
      (await site.extract("/a")).body,
      '```json\n{\n  "id": 12345678901234567890,\n  "list": [\n    1.50,\n    true\n  ]\n}\n```',
    );
    assert.equal((await site.extract("/broken")).body, '```json\n{"a":\n```');
    assert.equal((await site.extract("/ticks")).body, '````json\n"```"\n````');
  });
});

Deno.test("web_extract leaves Markdown, plain text, XML and SVG as they are", async () => {
  const text = "# Head\n\n<b>raw</b> & more";
  for (
    const type of [
      "text/markdown",
      "text/plain",
      "text/csv",
      "application/atom+xml",
      "image/svg+xml",
    ]
  ) {
    await withSite(() => html(text, type), async (site) => {
      assert.equal((await site.extract("/")).body, text, type);
    });
  }
});

Deno.test("web_extract guesses the type of a body that has none", async () => {
  const bodies: Record<string, BodyInit> = {
    "/html": new TextEncoder().encode("<!DOCTYPE html><p>Hi <b>you</b></p>"),
    "/text": new TextEncoder().encode("1 < 2"),
    "/binary": new Uint8Array([1, 0, 2]),
  };
  await withSite((request) => new Response(bodies[new URL(request.url).pathname]), async (site) => {
    assert.equal((await site.extract("/html")).body, "Hi **you**");
    assert.equal((await site.extract("/text")).body, "1 < 2");
    await site.fails("/binary", /of type application\/octet-stream \(3 bytes\)/);
  });
});

Deno.test("web_extract returns a small image as an image and refuses other binaries with their type", async () => {
  const pixel = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);
  const answers: Record<string, () => Response> = {
    "/png": () => html(pixel, "image/png"),
    "/big": () => html(new Uint8Array(1_048_577), "image/png"),
    "/tiff": () => html(pixel, "image/tiff"),
    "/pdf": () => html("%PDF-1.7", "application/pdf"),
    "/zip": () => html(pixel, "application/zip"),
  };
  await withSite((request) => answers[new URL(request.url).pathname]!(), async (site) => {
    const { blocks, structured } = await site.extract("/png");
    assert.deepEqual(blocks, [{ type: "image", data: "iVBORw==", mimeType: "image/png" }]);
    assert.equal(structured.bytes, 4);
    await site.fails("/big", /image of type image\/png with 1048577 bytes/);
    await site.fails("/tiff", /image of type image\/tiff with 4 bytes/);
    await site.fails("/pdf", /it is a PDF document \(8 bytes\)/);
    await site.fails("/zip", /of type application\/zip \(4 bytes\)/);
  });
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

Deno.test("web_extract says that a page is empty", async () => {
  await withSite((request) => {
    return new URL(request.url).pathname === "/204"
      ? new Response(null, { status: 204 })
      : html("<html><body><script>render()</script></body></html>");
  }, async (site) => {
    assert.equal((await site.extract("/204")).body, "(the page holds no text)");
    assert.equal((await site.extract("/app")).body, "(the page holds no text)");
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

Deno.test("web_extract survives deep nesting and broken markup", async () => {
  const deep = `${"<div>".repeat(20_000)}deep${"</div>".repeat(20_000)}`;
  await withSite((request) => {
    return html(new URL(request.url).pathname === "/deep" ? deep : "<p>a<b>b<<p>c</i><table><td>d");
  }, async (site) => {
    assert.match((await site.extract("/broken")).body, /a.*b[^]*c[^]*d/);
    const { text, body } = await site.extract("/deep");
    assert.equal(body, "deep");
    assert.match(
      text,
      /Note: the page cannot be written as Markdown \(too large, too deep or damaged\)/,
    );
  });
});

Deno.test("web_extract declares the URL's host alone as its grant", async () => {
  using tool = await openTool("web_extract", {}, "/");
  const { name, toolset, emoji, permissions, annotations } = tool.declaration;
  assert.deepEqual([name, toolset, emoji], ["web_extract", "web", "📄"]);
  assert.deepEqual(permissions, { net: ["$ARG.url"] });
  assert.deepEqual(annotations, { readOnlyHint: true, idempotentHint: true, openWorldHint: true });
});
