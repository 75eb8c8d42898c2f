import { runSql, type SqlClient } from '../../../../platform/postgres/run-sql.ts';

/**
 * Position of an index in the sequence of changes. The index contains every change below the horizon, a transaction id,
 * and the later changes in `seen`, which maps a document to the transaction that changed it last.
 */
export interface ChangePosition {
  readonly horizon: string;
  readonly seen: ReadonlyMap<string, string>;
}

/** Changes of a project from a horizon on. Each is a document id, a space and a transaction id. */
export type ChangeList = readonly string[];

/** Subquery for a `ChangeList`. */
export const changesSql = (projectId: string, horizon: string) => `
  array(select change.document_id::text || ' ' || change.xid::text from grounded.document_changes change
    where change.project_id = ${projectId}::uuid and change.xid >= ${horizon}::text::xid8)`;

/** Returns the documents that have changed after a position. */
export function findUnseen(changes: ChangeList, { seen }: ChangePosition): string[] {
  return parseChanges(changes).flatMap(([id, xid]) => (seen.get(id) === xid ? [] : [id]));
}

/** Returns the changes of a project from a horizon on, and the position of an index that contains all of them. */
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

/** All transactions below the lowest running one are visible or rolled back. $1 project, $2 horizon. */
const readSql = {
  name: 'read-document-changes',
  text: `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, ${changesSql('$1', '$2')} as changes`,
};
