import {
  type DefaultConnectionArguments,
  type ResolveCursorConnectionArgs,
  resolveCursorConnection,
} from '@pothos/plugin-relay';

/**
 * The part of a list, all of which is at hand, that a connection is asked for. A cursor is the id of its entry; `isAt`
 * finds the entry of an id that is no longer the first of its ids.
 */
export async function connectionOf<Item extends { readonly id: string }>(
  args: DefaultConnectionArguments,
  items: readonly Item[],
  isAt: (item: Item, id: string) => boolean = (item, id) => item.id === id,
) {
  return resolveCursorConnection(
    { args, toCursor: ({ id }: Item) => Buffer.from(id).toString('base64') },
    async (part: ResolveCursorConnectionArgs): Promise<Item[]> => partOf(items, part, isAt),
  );
}

function partOf<Item>(
  items: readonly Item[],
  { after, before, limit, inverted }: ResolveCursorConnectionArgs,
  isAt: (item: Item, id: string) => boolean,
): Item[] {
  const placeOf = (cursor: string) => {
    const id = Buffer.from(cursor, 'base64').toString();
    return items.findIndex((item) => isAt(item, id));
  };
  const start = after === undefined ? 0 : placeOf(after) + 1;
  const end = before === undefined ? items.length : placeOf(before);
  const between = items.slice(start, Math.max(start, end));
  return (inverted ? between.reverse() : between).slice(0, limit);
}
