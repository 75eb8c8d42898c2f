/** One page of a list and how long the list is. Pages count from 1. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly limit: number;
  /** How many there are on all pages. */
  readonly total: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** Which page: `page` counts from 1, `limit` is its size. */
export interface PageInput {
  readonly page: number;
  readonly limit: number;
}

/** Reads one page and, at the same time, counts what is on all of them. */
export async function readPage<Item>(
  { page, limit }: PageInput,
  read: (part: { readonly skip: number; readonly take: number }) => Promise<readonly Item[]>,
  count: () => Promise<number>,
): Promise<Page<Item>> {
  const [data, total] = await Promise.all([
    read({ skip: (page - 1) * limit, take: limit }),
    count(),
  ]);
  const totalPages = Math.ceil(total / limit);
  return { data, page, limit, total, totalPages, hasMore: page < totalPages };
}
