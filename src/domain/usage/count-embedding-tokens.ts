import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { currentMonthSql, incrementDaySql, todaySql } from './usage-sql.ts';

/** Adds embedding tokens to the current month and day of the organization that owns the project. */
export async function countEmbeddingTokens(
  { pool }: Pick<Context, 'pool'>,
  projectId: string,
  tokens: number,
): Promise<void> {
  if (tokens === 0) return;
  await runSql(pool, countTokens, [projectId, tokens]);
}

const countTokens = {
  name: 'count-embedding-tokens',
  text: `
      with counted as (
        insert into grounded.usage_periods as period (organization_id, starts_on, embedding_tokens)
        select organization_id, ${currentMonthSql}, $2::bigint from grounded.projects where id = $1
        on conflict (organization_id, starts_on)
          do update set embedding_tokens = period.embedding_tokens + excluded.embedding_tokens
        returning organization_id, ${todaySql} as day, $2::bigint as embedding_tokens
      )${incrementDaySql('counted', ['embedding_tokens'])}`,
};
