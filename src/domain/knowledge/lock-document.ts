import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import type { Document } from './documents.ts';
import { isVisibleDocument } from './filter/caller-filter.ts';

/**
 * Returns the document and locks it until the transaction finishes. Returns null if the document does not exist in the
 * project or the caller does not see it. To avoid deadlocks, keep this order: lock the document, then update the
 * storage of its organization, then change or delete the document's row.
 */
export async function lockDocument(
  context: Pick<Context, 'caller' | 'db'>,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<Document | null> {
  const { db } = context;
  const locked = await runSql(db, lockStatement, [project.id, id]);
  if (locked.length === 0) return null;
  if (!(await isVisibleDocument(context, { projectId: project.id, id }))) return null;
  return db.document.findFirst({ where: { id, projectId: project.id } });
}

const lockStatement = `
  select id from grounded.documents where project_id = $1::uuid and id = $2::uuid and deleted_at is null
  for update`;
