import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Asks the end user how satisfied they were with the agent. Asks only if the project has enabled this and an agent had
 * claimed the handoff. Call it in the transaction that resolves the handoff, and pass the handoff from before the
 * change. `agent` is the agent who resolves the handoff.
 */
export async function askForSatisfaction(
  db: Prisma.TransactionClient,
  { id, projectId, status }: Handoff,
  agent: string,
): Promise<void> {
  if (status !== 'CLAIMED') return;
  await runSql(db, insertQuestion, [id, projectId, agent]);
}

const insertQuestion = `
  insert into grounded.handoff_satisfaction (handoff_id, project_id, agent)
  select $1::uuid, id, $3::text from grounded.projects
  where id = $2::uuid and asks_for_satisfaction
  on conflict do nothing`;
