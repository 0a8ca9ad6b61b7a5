/**
 * What `web_extract` makes of a body.
 * @module
 */
import assert from "node:assert/strict";
import { html, LOREM, page, withSite } from "./_site.ts";

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
