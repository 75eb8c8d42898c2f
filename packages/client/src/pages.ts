/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** The first page when it is awaited, and the entries of all pages when it is iterated. */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {}

/**
 * Reads pages lazily. An entry that a new one has moved to the next page is returned once. Do not delete entries while
 * you iterate: the rest moves up, past what the next page starts with.
 */
export function listOf<Item>(
  query: { readonly page?: number },
  readPage: (page: number | undefined) => Promise<Page<Item>>,
): List<Item> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited.
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
