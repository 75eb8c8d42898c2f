import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, primaryPool } from '../context.ts';
import { sumOfKind, type TokenCount, tokensJson } from './token-count.ts';
import { currentMonthSql, incrementDaySql, incrementTokenDaysSql, todaySql } from './usage-sql.ts';

/**
 * Adds tokens to the usage of the current month and day, for the project and for the organization that owns it. Does
 * not count a message. Queries call this too, so it writes to the primary, whatever the context reads from.
 */
export async function countTokens(
  context: Pick<Context, 'database' | 'caller'>,
  projectId: string,
  counts: readonly TokenCount[],
): Promise<void> {
  const tokens = tokensJson(counts);
  if (tokens === null) return;
  const sums = (['INPUT', 'OUTPUT', 'EMBEDDING'] as const).map((kind) => sumOfKind(counts, kind));
  await runSql(primaryPool(context), statement, [projectId, ...sums, tokens]);
}

const counters = ['input_tokens', 'output_tokens', 'embedding_tokens'];
const amountsSql =
  '$2::bigint as input_tokens, $3::bigint as output_tokens, $4::bigint as embedding_tokens';

const statement = {
  name: 'count-tokens',
  text: `
      with counted as (
        insert into grounded.usage_periods as period (organization_id, starts_on, ${counters.join(', ')})
        select organization_id, ${currentMonthSql}, ${amountsSql} from grounded.projects where id = $1
        on conflict (organization_id, starts_on) do update set
          ${counters.map((name) => `${name} = period.${name} + excluded.${name}`).join(', ')}
        returning organization_id, $1::uuid as project_id, ${todaySql} as day, ${amountsSql},
          $5::text::jsonb as model_tokens
      ), counted_tokens as (${incrementTokenDaysSql('counted')}
      )${incrementDaySql('counted', counters)}`,
};
