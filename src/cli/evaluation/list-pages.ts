interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

/** Reads all pages of a list, one after the other. */
export async function* listPages<Item>(
  readPage: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const { data, hasMore: isFollowed } = await readPage(page);
    yield data;
    hasMore = isFollowed;
  }
}

/** Returns the items of all pages. */
export async function collectPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
