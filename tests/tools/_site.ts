/**
 * A loopback server and the tool `web_extract`, which may reach that server and nothing else.
 * @module
 */
import assert from "node:assert/strict";
import { type Answer, type OpenTool, openTool } from "./_open_tool.ts";

/** An answer of the tool. */
export interface Reply {
  readonly text: string;
  readonly body: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly blocks: readonly { readonly type: string; readonly data?: string }[];
}

/** A server and the tool that may reach it. */
export interface Site {
  readonly origin: string;
  readonly requests: string[];
  readonly tool: OpenTool;
  extract(path: string, options?: object): Promise<Reply>;
  fails(path: string, expected: RegExp): Promise<string>;
}

/** Answers a request. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Enough text to make an article. */
export const LOREM: string =
  "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. "
    .repeat(8);

/**
 * Writes a whole page.
 *
 * @param head What stands in its head.
 * @param body What stands in its body.
 * @returns The page.
 */
export function page(head: string, body: string): string {
  return `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
}

/**
 * Answers with a body of a media type.
 *
 * @param text The body.
 * @param type Its media type.
 * @returns The answer.
 */
export function html(text: string | Uint8Array<ArrayBuffer>, type = "text/html"): Response {
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

/**
 * Runs a server for the time of a test.
 *
 * @param handler Answers its requests.
 * @param body The test.
 */
export async function withSite(
  handler: Handler,
  body: (site: Site) => Promise<void>,
): Promise<void> {
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
