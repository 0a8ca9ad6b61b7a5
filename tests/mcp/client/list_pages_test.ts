import assert from "node:assert/strict";
import { listPages, type Page } from "../../../mcp/client/list_pages.ts";

async function walk<T>(
  fetchPage: (page: number) => Page<T>,
): Promise<{ readonly items: readonly T[]; readonly warnings: string[]; readonly pages: number }> {
  const warnings: string[] = [];
  let pages = 0;
  const items = await listPages(
    (cursor) => {
      pages++;
      return Promise.resolve(fetchPage(Number(cursor ?? 0)));
    },
    (warning) => void warnings.push(warning),
  );
  return { items, warnings, pages };
}

Deno.test("listPages() fetches every page; an empty cursor is one", async () => {
  const cursors: (string | undefined)[] = [];
  const pages: Record<string, Page<number>> = {
    first: { items: [1], nextCursor: "" },
    "": { items: [2], nextCursor: "b" },
    b: { items: [3] },
  };
  const items = await listPages((cursor) => {
    cursors.push(cursor);
    return Promise.resolve(pages[cursor ?? "first"]!);
  }, assert.fail);
  assert.deepEqual(items, [1, 2, 3]);
  assert.deepEqual(cursors, [undefined, "", "b"]);
});

Deno.test("listPages() [A23] ends after 50 pages with what it read", async () => {
  const { items, warnings, pages } = await walk((page) => ({
    items: [page],
    nextCursor: String(page + 1),
  }));
  assert.equal(pages, 50);
  assert.equal(items.length, 50);
  assert.deepEqual(warnings, ["The server has more than 50 pages: the list ends with 50 items"]);
});

Deno.test("listPages() [A23] ends when a cursor comes again", async () => {
  const { items, warnings } = await walk((page) => ({
    items: [page],
    nextCursor: String((page + 1) % 3),
  }));
  assert.deepEqual(items, [0, 1, 2, 0]);
  assert.deepEqual(warnings, [
    "The server gave the same cursor twice: the list ends with 4 items",
  ]);
});

Deno.test("listPages() [A23] takes 10,000 items at most", async () => {
  const many = Array.from({ length: 6_000 }, (_, index) => index);
  const { items, pages } = await walk((page) => ({ items: many, nextCursor: String(page + 1) }));
  assert.equal(items.length, 10_000);
  assert.equal(pages, 2);
});

Deno.test("listPages() [A23] refuses a page of more than 10 MB", async () => {
  const page = (chars: number) => walk(() => ({ items: ["x".repeat(chars)] }));
  // The brackets and the quotes count as well.
  assert.equal((await page(10_485_760 - 4)).items.length, 1);
  await assert.rejects(page(10_485_760 - 3), {
    name: "PageTooLongError",
    message: "A page of the list has 10485761 characters, and at most 10485760 are taken",
  });
});
