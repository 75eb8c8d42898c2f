import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProjectId } from '../organizations/require-project.ts';
import { daySql } from '../usage/usage-sql.ts';
import { amountSql, type Cost, currencySql, toCost } from './cost.ts';

interface Resource {
  readonly id: string;
  readonly projectId: string;
}

/**
 * Returns what an answer cost, including its search. Null for other messages and without prices. If the costs of several
 * messages are requested together, one statement reads all of them. The caller must already have access to the message.
 *
 * @throws DomainError from `requireProjectId`.
 */
export function findAnswerCost(context: Context, message: Resource): Promise<Cost | null> {
  return findCost(context, message, 'id');
}

/**
 * Returns what the answers of a conversation cost together. Null without answers or prices. Reads several conversations
 * together, as `findAnswerCost`. The caller must already have access to the conversation.
 *
 * @throws DomainError from `requireProjectId`.
 */
export function findConversationCost(
  context: Context,
  conversation: Resource,
): Promise<Cost | null> {
  return findCost(context, conversation, 'conversation_id');
}

function findCost(
  context: Context,
  { id, projectId }: Resource,
  column: 'id' | 'conversation_id',
): Promise<Cost | null> {
  return loadCost(context, `${column} ${projectId}`, id, async (ids) => {
    await requireProjectId(context, projectId, 'usage:read');
    const values = [projectId, [...new Set(ids)]];
    const rows = await runSql<CostRow>(context.db, costsBy[column], values);
    const costs = new Map(rows.map((row) => [row.id, toCost(row)]));
    return ids.map((id) => costs.get(id) ?? null);
  });
}

const loadCost = createDataLoader<string, Cost | null>();

interface CostRow extends Cost {
  readonly id: string;
}

const costsBy = { id: costsSql('id'), conversation_id: costsSql('conversation_id') };

/** Returns a statement for the costs of answers by a column of `messages`. $1: project, $2: values of the column. */
function costsSql(column: string): string {
  const price = `grounded.price_on(project.organization_id, token.model, token.kind, ${daySql('message.created_at')})`;
  return `
    select message.${column} as id, price.currency, ${amountSql(`sum(token.tokens * ${price}) * 0.000001`)} as amount
    from grounded.projects project
      join grounded.messages message on message.project_id = project.id
      cross join lateral jsonb_to_recordset(message.model_tokens) as token (
        model text, kind grounded.token_kind, tokens bigint)
      cross join lateral ${currencySql('project.organization_id')} price
    where project.id = $1::uuid and message.${column} = any ($2::uuid[])
    group by 1, 2`;
}
