import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import type { Document } from './documents.ts';
import { isVisibleDocument } from './filter/caller-filter.ts';

/**
 * Returns the document, locked until the transaction finishes. Null if it does not exist in the project, or if
 * the caller does not see it. Lock a document
 * before the storage of its organization is counted, and change or delete its row only after that.
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
