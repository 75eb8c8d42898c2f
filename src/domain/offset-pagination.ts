/** One page of a list, with the total count. Pages are numbered from 1. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly limit: number;
  /** Number of items on all pages. */
  readonly total: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** `page` is the number of the page, from 1. `limit` is the number of items per page. */
export interface PageInput {
  readonly page: number;
  readonly limit: number;
}

/** Reads one page and counts all items at the same time. */
export async function readPage<Item>(
  input: PageInput,
  read: (part: { readonly skip: number; readonly take: number }) => Promise<readonly Item[]>,
  count: () => Promise<number>,
): Promise<Page<Item>> {
  const { page, limit } = input;
  const [data, total] = await Promise.all([
    read({ skip: (page - 1) * limit, take: limit }),
    count(),
  ]);
  return toPage(input, data, total);
}

/** Returns one page of a list whose items are all in memory. */
export function pageOf<Item>(input: PageInput, items: readonly Item[]): Page<Item> {
  const { page, limit } = input;
  return toPage(input, items.slice((page - 1) * limit, page * limit), items.length);
}

function toPage<Item>(
  { page, limit }: PageInput,
  data: readonly Item[],
  total: number,
): Page<Item> {
  const totalPages = Math.ceil(total / limit);
  return { data, page, limit, total, totalPages, hasMore: page < totalPages };
}
