import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, primaryPool } from '../context.ts';
import { currentMonthSql, incrementDaySql, todaySql } from './usage-sql.ts';

/** Token counts of models. Input and output tokens are those of the chat model. */
export interface CountedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
}

/**
 * Adds tokens to the usage of the current month and day, for the organization that owns the project. Does not count a
 * message. Queries call this too, so it writes to the primary, whatever the context reads from.
 */
export async function countTokens(
  context: Pick<Context, 'database' | 'caller'>,
  projectId: string,
  { inputTokens, outputTokens, embeddingTokens }: CountedTokens,
): Promise<void> {
  if (inputTokens + outputTokens + embeddingTokens === 0) return;
  const counts = [inputTokens, outputTokens, embeddingTokens];
  await runSql(primaryPool(context), statement, [projectId, ...counts]);
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
        returning organization_id, ${todaySql} as day, ${amountsSql}
      )${incrementDaySql('counted', counters)}`,
};
