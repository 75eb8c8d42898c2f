import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Project } from '../organizations/require-project.ts';
import type { Document } from './documents.ts';

/**
 * Returns the document, locked until the transaction finishes. Null if it does not exist in the project. Lock a document
 * before the storage of its organization is counted, and change or delete its row only after that.
 */
export async function lockDocument(
  db: Prisma.TransactionClient,
  project: Pick<Project, 'id'>,
  id: string,
): Promise<Document | null> {
  const locked = await runSql(db, lockStatement, [project.id, id]);
  if (locked.length === 0) return null;
  return db.document.findFirst({ where: { id, projectId: project.id } });
}

const lockStatement = `
  select id from grounded.documents where project_id = $1::uuid and id = $2::uuid for update`;
