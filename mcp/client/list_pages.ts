/**
 * Fetching a list page by page, however many pages a server makes up.
 * @module
 */

/** The most pages of a list. */
export const MAX_PAGES = 50;
/** The most items of a list. */
export const MAX_ITEMS = 10_000;
/** The longest page, in UTF-16 code units of JSON. */
export const MAX_PAGE_CHARS = 10 * 1_024 * 1_024;

/** A page of a list. */
export interface Page<T> {
  /** What is on it. */
  readonly items: readonly T[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
}

/** A page that is too long. */
export class PageTooLongError extends Error {
  /** The class's name. */
  override readonly name = "PageTooLongError";
  /** Tells it from what is lost. */
  readonly code = "PAGE_TOO_LONG";
}

/**
 * Fetches every page of a list.
 *
 * @param fetchPage Fetches the page at a cursor, the first one without.
 * @param warn Hears why a list ends before its server says so.
 * @returns What is on the pages.
 * @throws {PageTooLongError} If a page is too long.
 */
export async function listPages<T>(
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
  warn: (message: string) => void,
): Promise<readonly T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1;; pages++) {
    const page = await fetchPage(cursor);
    const { length } = JSON.stringify(page.items);
    if (length > MAX_PAGE_CHARS) {
      throw new PageTooLongError(
        `A page of the list has ${length} characters, and at most ${MAX_PAGE_CHARS} are taken`,
      );
    }
    for (const item of page.items.slice(0, MAX_ITEMS - items.length)) items.push(item);
    cursor = page.nextCursor;
    if (cursor === undefined) return items;
    const why = endOf(pages, items.length, seen.has(cursor));
    if (why !== undefined) {
      warn(`${why}: the list ends with ${items.length} items`);
      return items;
    }
    seen.add(cursor);
  }
}

function endOf(pages: number, items: number, isRepeated: boolean): string | undefined {
  if (isRepeated) return "The server gave the same cursor twice";
  if (pages >= MAX_PAGES) return `The server has more than ${MAX_PAGES} pages`;
  if (items >= MAX_ITEMS) return `The server has more than ${MAX_ITEMS} items`;
  return undefined;
}
