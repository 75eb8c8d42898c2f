import type { Context } from '../context.ts';
import { countDay, currentMonth, today } from './usage-sql.ts';

/** Adds to the embedding tokens of the organization that owns the project, in the current month and day. */
export async function countEmbeddingTokens(
  { pool }: Pick<Context, 'pool'>,
  projectId: string,
  tokens: number,
): Promise<void> {
  if (tokens === 0) return;
  await pool.query({
    name: 'count-embedding-tokens',
    text: `
      with counted as (
        insert into grounded.usage_periods as period (organization_id, starts_on, embedding_tokens)
        select organization_id, ${currentMonth}, $2::bigint from grounded.projects where id = $1
        on conflict (organization_id, starts_on)
          do update set embedding_tokens = period.embedding_tokens + excluded.embedding_tokens
        returning organization_id, ${today} as day, $2::bigint as embedding_tokens
      )${countDay('counted', ['embedding_tokens'])}`,
    values: [projectId, tokens],
  });
}
