import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';

/**
 * Locks the endpoint, so that it cannot be deleted until the transaction finishes. Call it before a statement that
 * refers to the endpoint or changes its deliveries. A deletion locks the endpoint before its deliveries, so the
 * opposite order could deadlock. Returns null if the endpoint does not exist.
 */
export async function lockEndpoint(
  db: Prisma.TransactionClient,
  { id, projectId }: { readonly id: string; readonly projectId: string },
): Promise<{ readonly isDisabled: boolean } | null> {
  const [locked] = await runSql<{ isDisabled: boolean }>(
    db,
    `select disabled_at is not null as "isDisabled" from grounded.webhook_endpoints
     where id = $1::uuid and project_id = $2::uuid
     for key share`,
    [id, projectId],
  );
  return locked ?? null;
}
