/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** If you await the list, it returns the first page. If you iterate over it, it returns the entries of all pages. */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

/**
 * Reads pages only when they are needed. If a new entry moves an old one to the next page, the old one is still
 * returned once. Do not delete entries while you iterate: later entries move up a page, and the iteration skips them.
 */
export function listOf<Item>(
  query: { readonly page?: number },
  readPage: (page: number | undefined) => Promise<Page<Item>>,
): List<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: callers can await a list.
    then: (onPage, onError) => readPage(query.page).then(onPage, onError),
    async *[Symbol.asyncIterator]() {
      let known = new Set<unknown>();
      for (let number = query.page ?? 1; ; number += 1) {
        const { data, hasMore } = await readPage(number);
        for (const item of data) {
          if (!known.has(keyOf(item))) yield item;
        }
        if (!hasMore) return;
        known = new Set(data.map(keyOf));
      }
    },
  };
}

function keyOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : item;
}
