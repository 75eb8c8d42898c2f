import {
  type DefaultConnectionArguments,
  type ResolveCursorConnectionArgs,
  resolveCursorConnection,
} from '@pothos/plugin-relay';
import { fromPositionCursor, toPositionCursor } from './position-cursor.ts';

/**
 * Returns the requested page of the complete list `items` as a Relay connection. A cursor contains the position and the
 * id of an item: the list continues at the position if the item no longer exists. `matchesId` compares an item with that
 * id. Override it if the id of an item can change after a cursor was issued.
 */
export async function connectionFromArray<Item extends { readonly id: string }>(
  args: DefaultConnectionArguments,
  items: readonly Item[],
  matchesId: (item: Item, id: string) => boolean = (item, id) => item.id === id,
) {
  const positions = new Map(items.map((item, position) => [item, position]));
  return resolveCursorConnection(
    {
      args,
      toCursor: (item: Item) =>
        toPositionCursor({ position: positions.get(item) ?? 0, id: item.id }),
    },
    async (part: ResolveCursorConnectionArgs): Promise<Item[]> =>
      sliceItems(items, part, matchesId),
  );
}

function sliceItems<Item>(
  items: readonly Item[],
  { after, before, limit, inverted }: ResolveCursorConnectionArgs,
  matchesId: (item: Item, id: string) => boolean,
): Item[] {
  const start =
    after === undefined ? 0 : findPlace(items, fromPositionCursor(after, 'after'), matchesId).next;
  const end =
    before === undefined
      ? items.length
      : findPlace(items, fromPositionCursor(before, 'before'), matchesId).position;
  const between = items.slice(start, Math.max(start, end));
  return (inverted ? between.reverse() : between).slice(0, limit);
}

/** Returns the position of the cursor's item and of the item after it. */
function findPlace<Item>(
  items: readonly Item[],
  { position, id }: ReturnType<typeof fromPositionCursor>,
  matchesId: (item: Item, id: string) => boolean,
) {
  const found = items.findIndex((item) => matchesId(item, id));
  return found === -1 ? { position, next: position } : { position: found, next: found + 1 };
}
