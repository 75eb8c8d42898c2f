import {
  type DefaultConnectionArguments,
  type ResolveCursorConnectionArgs,
  resolveCursorConnection,
} from '@pothos/plugin-relay';

/**
 * Returns the requested page of the complete list `items` as a Relay connection. A cursor contains the id of an item.
 * `matchesId` compares an item with that id. Override it if the id of an item can change after a cursor was issued.
 */
export async function connectionFromArray<Item extends { readonly id: string }>(
  args: DefaultConnectionArguments,
  items: readonly Item[],
  matchesId: (item: Item, id: string) => boolean = (item, id) => item.id === id,
) {
  return resolveCursorConnection(
    { args, toCursor: ({ id }: Item) => Buffer.from(id).toString('base64') },
    async (part: ResolveCursorConnectionArgs): Promise<Item[]> =>
      sliceItems(items, part, matchesId),
  );
}

function sliceItems<Item>(
  items: readonly Item[],
  { after, before, limit, inverted }: ResolveCursorConnectionArgs,
  matchesId: (item: Item, id: string) => boolean,
): Item[] {
  const indexOfCursor = (cursor: string) => {
    const id = Buffer.from(cursor, 'base64').toString();
    return items.findIndex((item) => matchesId(item, id));
  };
  const start = after === undefined ? 0 : indexOfCursor(after) + 1;
  const end = before === undefined ? items.length : indexOfCursor(before);
  const between = items.slice(start, Math.max(start, end));
  return (inverted ? between.reverse() : between).slice(0, limit);
}
