import type { Permission } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Watch, WatchedPlace } from './events.ts';
import { requireStillAllowed } from './still-allowed.ts';

export interface ChangingRow {
  readonly id: string;
  readonly updatedAt: Date;
}

/** A part of the `where` of Prisma's models. */
export interface RowsWhere {
  readonly projectId: string;
  readonly id?: { readonly in: string[] };
  readonly OR?: [{ updatedAt: { gt: Date } }, { updatedAt: Date; id: { gt: string } }];
}

/**
 * Gives the rows of a place as they are, each time that they may have changed. What changes in quick succession is
 * given once. After a break all that may have changed in it are given, which can be more than have.
 */
export async function* watchRows<Row extends ChangingRow>(
  context: Context,
  watch: Watch,
  { projectId, id, permission, find }: WatchedRows<Row>,
): AsyncGenerator<Row, void, undefined> {
  let lookedAt = Date.now();
  try {
    for (;;) {
      const changes = await watch.next();
      if (changes === null) return;
      await requireStillAllowed(context, projectId, permission);
      if (changes !== 'any') {
        if (changes.size > 0) yield* await find({ projectId, id: { in: [...changes] } }, pageSize);
        continue;
      }
      const since = new Date(lookedAt - overlapMs);
      lookedAt = Date.now();
      if (id != null) yield* await find({ projectId, id: { in: [id] } }, 1);
      else yield* changedSince({ projectId, find }, since);
    }
  } finally {
    watch.close();
  }
}

interface WatchedRows<Row> extends Omit<WatchedPlace, 'topic'> {
  readonly permission: Permission;
  /** At most `take` rows, by `updatedAt` and `id`. */
  find(where: RowsWhere, take: number): Promise<Row[]>;
}

const pageSize = 100;
/** How long before its commit a change may have its time: the longest transactions, and answers behind their turn. */
const overlapMs = 300_000;

async function* changedSince<Row extends ChangingRow>(
  { projectId, find }: Pick<WatchedRows<Row>, 'projectId' | 'find'>,
  since: Date,
): AsyncGenerator<Row, void, undefined> {
  let last: ChangingRow = { updatedAt: since, id: firstId };
  for (;;) {
    const { updatedAt, id } = last;
    const place: RowsWhere['OR'] = [
      { updatedAt: { gt: updatedAt } },
      { updatedAt, id: { gt: id } },
    ];
    const rows: Row[] = await find({ projectId, OR: place }, pageSize);
    yield* rows;
    last = rows.at(-1) ?? last;
    if (rows.length < pageSize) return;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';
