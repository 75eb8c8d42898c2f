import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { requireProjectId } from '../organizations/require-project.ts';
import { currentMonthSql, effectiveLimitSql, effectiveQuestionLimitSql } from './usage-sql.ts';

/** Usage of an organization in the current calendar month (UTC). If a limit is null, the usage is unlimited. */
export interface Usage {
  readonly organizationId: string;
  readonly plan: string;
  /** `end` is exclusive: it is the start of the next period. */
  readonly period: { readonly start: Date; readonly end: Date };
  readonly messages: CountedUsage;
  /** Questions that evaluation runs have asked, and those whose answers the language model has judged. */
  readonly evaluation: { readonly evaluated: CountedUsage; readonly judged: CountedUsage };
  readonly storage: { readonly usedBytes: number; readonly limitBytes: number | null };
  readonly tokens: {
    readonly input: number;
    readonly output: number;
    readonly embedding: number;
    readonly total: number;
  };
}

/** A counter of the month and its limit. */
export interface CountedUsage {
  readonly used: number;
  readonly limit: number | null;
  readonly remaining: number | null;
}

/**
 * Returns the usage of an organization. A project-scoped key may also read it.
 * @throws DomainError from `requireOrganization`
 * @throws DomainError PROJECT_FORBIDDEN when the API key is restricted to a different project
 * @throws DomainError NOT_FOUND when `projectId` is not a project of the organization
 */
export async function getUsage(
  context: Context,
  input: { readonly organizationId: string; readonly projectId?: string | null },
): Promise<Usage> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const projectId = input.projectId ?? null;
  const { caller } = context;
  const isProjectKey = caller.type === 'key' && caller.projectId !== null;
  // Check the key first. Otherwise the response would reveal which ids are projects of the organization.
  if (isProjectKey && projectId !== null) await requireProjectId(context, projectId, 'usage:read');
  if (projectId !== null && !isId(projectId)) throw notFound('Project');
  await context.tokenCounter.flush();
  const [row] = await runSql<UsageRow>(context.db, findUsage, [id, projectId]);
  if (row === undefined) throw notFound('Project');
  return usageOf(id, row);
}

/** Counters that do not exist are 0. `$2`, the project id, may be null. */
const findUsage = `
  select organization.plan,
    ${effectiveLimitSql('monthly_messages')} as "monthlyMessages",
    ${effectiveQuestionLimitSql('evaluated')} as "monthlyEvaluatedQuestions",
    ${effectiveQuestionLimitSql('judged')} as "monthlyJudgedQuestions",
    ${effectiveLimitSql('storage_bytes')}::float8 as "storageBytes",
    coalesce(period.messages, 0) as messages,
    coalesce(period.evaluated_questions, 0) as "evaluatedQuestions",
    coalesce(period.judged_questions, 0) as "judgedQuestions",
    coalesce(period.input_tokens, 0)::float8 as "inputTokens",
    coalesce(period.output_tokens, 0)::float8 as "outputTokens",
    coalesce(period.embedding_tokens, 0)::float8 as "embeddingTokens",
    coalesce(storage.used_bytes, 0)::float8 as "usedBytes",
    to_char(${currentMonthSql}, 'YYYY-MM-DD') as "startsOn"
  from grounded.organizations organization
  join grounded.plans plan on plan.name = organization.plan
  left join grounded.usage_periods period
    on period.organization_id = organization.id and period.starts_on = ${currentMonthSql}
  left join grounded.storage_usage storage on storage.organization_id = organization.id
  where organization.id = $1::uuid and ($2::uuid is null or exists (
    select from grounded.projects project
    where project.id = $2::uuid and project.organization_id = organization.id))`;

interface UsageRow {
  readonly plan: string;
  readonly monthlyMessages: number | null;
  readonly monthlyEvaluatedQuestions: number | null;
  readonly monthlyJudgedQuestions: number | null;
  readonly storageBytes: number | null;
  readonly messages: number;
  readonly evaluatedQuestions: number;
  readonly judgedQuestions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly embeddingTokens: number;
  readonly usedBytes: number;
  /** For example `2026-11-01`. */
  readonly startsOn: string;
}

function usageOf(organizationId: string, row: UsageRow): Usage {
  const start = new Date(`${row.startsOn}T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  const { inputTokens: input, outputTokens: output, embeddingTokens: embedding } = row;
  return {
    organizationId,
    plan: row.plan,
    period: { start, end },
    messages: countedUsage(row.messages, row.monthlyMessages),
    evaluation: {
      evaluated: countedUsage(row.evaluatedQuestions, row.monthlyEvaluatedQuestions),
      judged: countedUsage(row.judgedQuestions, row.monthlyJudgedQuestions),
    },
    storage: { usedBytes: row.usedBytes, limitBytes: row.storageBytes },
    tokens: { input, output, embedding, total: input + output + embedding },
  };
}

function countedUsage(used: number, limit: number | null): CountedUsage {
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) };
}
