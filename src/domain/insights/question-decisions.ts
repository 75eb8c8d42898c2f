import type { QuestionStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { GroupedQuestion } from './group-questions.ts';

/** A question that represents a group, and the decision of the team about the group. */
export interface DecidedQuestion extends GroupedQuestion {
  readonly kind: 'DECIDED';
  /** Id of the root group. Merged groups have the same `rootId`. */
  readonly rootId: string;
  /** Null if the group was merged and the team has not decided about it. */
  readonly status: QuestionStatus | null;
  readonly documentId: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date;
}

/** Maximum number of decisions of a project. If a project has this many, a new decision replaces the oldest. */
export const maxDecisions = 500;

/** Returns the decisions of a project, latest first. */
export async function readDecisions(
  { db }: Pick<Context, 'db'>,
  projectId: string,
): Promise<DecidedQuestion[]> {
  const rows = await runSql<DecisionRow>(db, readSql, [projectId, maxDecisions]);
  return rows.map(({ decidedAtMs, ...row }) => ({
    ...row,
    kind: 'DECIDED',
    decidedAt: new Date(decidedAtMs),
  }));
}

type DecisionRow = Omit<DecidedQuestion, 'kind' | 'decidedAt'> & { readonly decidedAtMs: number };

const readSql = `
  select message.id as "messageId", message.content, coalesce(decision.merged_into, message.id) as "rootId",
    decision.status, document.id as "documentId", decision.decided_by as "decidedBy",
    round(extract(epoch from decision.decided_at)::float8 * 1000) as "decidedAtMs"
  from grounded.question_decisions decision
  join grounded.messages message on message.id = decision.message_id
  left join grounded.documents document on document.id = decision.document_id and document.deleted_at is null
  where decision.project_id = $1::uuid
  order by decision.decided_at desc, message.id desc limit $2::int`;
