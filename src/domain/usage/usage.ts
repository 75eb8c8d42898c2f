import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { transactionSql } from '../run-sql.ts';
import { currentMonth } from './usage-sql.ts';

/** What an organization has used in the current calendar month, UTC. A limit of null means unlimited. */
export interface Usage {
  readonly organizationId: string;
  readonly plan: string;
  /** `end` is the first moment of the next period. */
  readonly period: { readonly start: Date; readonly end: Date };
  readonly messages: {
    readonly used: number;
    readonly limit: number | null;
    readonly remaining: number | null;
  };
  readonly storage: { readonly usedBytes: number; readonly limitBytes: number | null };
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly embedding: number;
    readonly total: number;
  };
}

/**
 * The organization's usage. Throws as `requireOrganization` does, and `NOT_FOUND` for a `projectId` that is not
 * one of the organization's.
 */
export async function getUsage(
  context: Context,
  input: { readonly organizationId: string; readonly projectId?: string | null },
): Promise<Usage> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const projectId = input.projectId ?? null;
  if (projectId !== null && !isId(projectId)) throw notFound('Project');
  const [row] = await transactionSql(context.db).query(findUsage, [id, projectId]);
  if (row === undefined) throw notFound('Project');
  return usageOf(id, row);
}

/** Counters that do not exist yet stand at 0. `$2` may be null. */
const findUsage = `
  select organization.plan,
    coalesce(organization.monthly_messages, plan.monthly_messages) as monthly_messages,
    coalesce(organization.storage_bytes, plan.storage_bytes)::float8 as storage_bytes,
    coalesce(period.messages, 0) as messages,
    coalesce(period.input_tokens, 0)::float8 as input_tokens,
    coalesce(period.output_tokens, 0)::float8 as output_tokens,
    coalesce(period.embedding_tokens, 0)::float8 as embedding_tokens,
    coalesce(storage.used_bytes, 0)::float8 as used_bytes,
    to_char(${currentMonth}, 'YYYY-MM-DD') as starts_on
  from grounded.organizations organization
  join grounded.plans plan on plan.name = organization.plan
  left join grounded.usage_periods period
    on period.organization_id = organization.id and period.starts_on = ${currentMonth}
  left join grounded.storage_usage storage on storage.organization_id = organization.id
  where organization.id = $1::uuid and ($2::uuid is null or exists (
    select from grounded.projects project
    where project.id = $2::uuid and project.organization_id = organization.id))`;

function usageOf(organizationId: string, row: Record<string, unknown>): Usage {
  const count = (name: string) => Number(row[name]);
  const limit = (name: string) => (row[name] === null ? null : Number(row[name]));
  const start = new Date(`${row.starts_on}T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  const used = count('messages');
  const messageLimit = limit('monthly_messages');
  const input = count('input_tokens');
  const output = count('output_tokens');
  const embedding = count('embedding_tokens');
  return {
    organizationId,
    plan: String(row.plan),
    period: { start, end },
    messages: {
      used,
      limit: messageLimit,
      remaining: messageLimit === null ? null : Math.max(0, messageLimit - used),
    },
    storage: { usedBytes: count('used_bytes'), limitBytes: limit('storage_bytes') },
    tokens: { input, output, embedding, total: input + output + embedding },
  };
}
