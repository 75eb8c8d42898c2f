import type { Subscription, SubscriptionTarget } from '../../platform/events/events.ts';
import type { Context } from '../context.ts';
import type { Permission } from '../permissions.ts';
import { reauthorizeSubscription } from './reauthorize-subscription.ts';

export interface TimestampedRow {
  readonly id: string;
  readonly updatedAt: Date;
}

/** Filter for changed rows. Can be passed as `where` to every Prisma model that has these columns. */
export interface ChangedRowsFilter {
  readonly projectId: string;
  readonly id?: { readonly in: string[] };
  readonly OR?: [{ updatedAt: { gt: Date } }, { updatedAt: Date; id: { gt: string } }];
}

/**
 * Yields rows in their current state after each change notification. If a row changes several times in quick
 * succession, yields it only once. After a connection loss, yields every row that may have changed, which can include
 * unchanged rows.
 */
export async function* watchRows<Row extends TimestampedRow>(
  context: Context,
  subscription: Subscription,
  { projectId, id, permission, find }: WatchRowsOptions<Row>,
): AsyncGenerator<Row, void, undefined> {
  let lastRefreshAt = Date.now();
  try {
    for (;;) {
      const changes = await subscription.next();
      if (changes === null) return;
      await reauthorizeSubscription(context, projectId, permission);
      if (changes !== 'any') {
        if (changes.size > 0) yield* await find({ projectId, id: { in: [...changes] } }, pageSize);
        continue;
      }
      const since = new Date(lastRefreshAt - overlapMs);
      lastRefreshAt = Date.now();
      if (id != null) yield* await find({ projectId, id: { in: [id] } }, 1);
      else yield* listChangedSince({ projectId, find }, since);
    }
  } finally {
    subscription.close();
  }
}

interface WatchRowsOptions<Row> extends Omit<SubscriptionTarget, 'topic'> {
  readonly permission: Permission;
  /** Returns at most `take` rows, sorted by `updatedAt` and `id`. */
  find(where: ChangedRowsFilter, take: number): Promise<Row[]>;
}

const pageSize = 100;
/**
 * Maximum time between a row's `updatedAt` and its commit. Long enough for the longest transactions and for answers
 * that wait in a queue to be written.
 */
const overlapMs = 300_000;

async function* listChangedSince<Row extends TimestampedRow>(
  { projectId, find }: Pick<WatchRowsOptions<Row>, 'projectId' | 'find'>,
  since: Date,
): AsyncGenerator<Row, void, undefined> {
  let last: TimestampedRow = { updatedAt: since, id: nilUuid };
  for (;;) {
    const { updatedAt, id } = last;
    const afterLast: ChangedRowsFilter['OR'] = [
      { updatedAt: { gt: updatedAt } },
      { updatedAt, id: { gt: id } },
    ];
    const rows: Row[] = await find({ projectId, OR: afterLast }, pageSize);
    yield* rows;
    last = rows.at(-1) ?? last;
    if (rows.length < pageSize) return;
  }
}

const nilUuid = '00000000-0000-0000-0000-000000000000';
