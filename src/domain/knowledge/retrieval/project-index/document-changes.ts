import { runSql, type SqlClient } from '../../../../platform/postgres/run-sql.ts';

/**
 * States which changes an index already contains: all changes of transactions below the transaction id `horizon`, and
 * the later changes in `seen`. `seen` contains, for each document, the transaction that changed it last.
 */
export interface ChangePosition {
  readonly horizon: string;
  readonly seen: ReadonlyMap<string, string>;
}

/**
 * Changes of a project whose transaction ids are at least the horizon. Each entry contains a document id, a space and a
 * transaction id.
 */
export type ChangeList = readonly string[];

/** Returns the subquery that selects a `ChangeList`. */
export const changesSql = (projectId: string, horizon: string) => `
  array(select change.document_id::text || ' ' || change.xid::text from grounded.document_changes change
    where change.project_id = ${projectId}::uuid and change.xid >= ${horizon}::text::xid8)`;

/** Returns the ids of documents with changes that an index with this position does not contain. */
export function findUnseen(changes: ChangeList, { seen }: ChangePosition): string[] {
  return parseChanges(changes).flatMap(([id, xid]) => (seen.get(id) === xid ? [] : [id]));
}

/**
 * Returns the changes of a project since transaction `horizon`, or all of them if it is null. Also returns the position
 * for an index that contains them.
 */
export async function readChanges(
  client: SqlClient,
  projectId: string,
  horizon: string | null,
): Promise<{ readonly changes: ChangeList; readonly position: ChangePosition }> {
  const [row] = await runSql<{ changes: ChangeList; horizon: string }>(client, readSql, [
    projectId,
    horizon,
  ]);
  if (row === undefined) throw new Error('The query returned no row');
  const { changes } = row;
  return { changes, position: { horizon: row.horizon, seen: new Map(parseChanges(changes)) } };
}

function parseChanges(changes: ChangeList): (readonly [string, string])[] {
  return changes.map((change) => {
    const [id = '', xid = ''] = change.split(' ');
    return [id, xid];
  });
}

/**
 * The new horizon is the lowest running transaction: the changes of all earlier transactions are visible or rolled
 * back. Parameters: $1 project, $2 horizon.
 */
const readSql = {
  name: 'read-document-changes',
  text: `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, ${changesSql('$1', '$2')} as changes`,
};
