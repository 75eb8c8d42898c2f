import type { QuestionStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { type Page, type PageInput, pageOf } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import {
  type AskedQuestion,
  findAnsweredQuestions,
  findUnansweredQuestions,
} from './find-questions.ts';
import { groupQuestions } from './group-questions.ts';
import { joinMergedGroups, type QuestionGroup } from './join-merged-groups.ts';
import { readDecisions } from './question-decisions.ts';
import { statusOf } from './question-status.ts';

/** Questions with the same meaning that were not answered well. */
export interface UnansweredQuestion {
  /**
   * Id of the message that the latest decision names. Without a decision: id of the latest message with the wording of
   * `question`.
   */
  readonly id: string;
  /** The most frequent wording of the group. */
  readonly question: string;
  readonly count: number;
  /** The same count for the period before, which has the same length. */
  readonly previousCount: number;
  /** Number of answers that were rated DOWN. */
  readonly badFeedbackCount: number;
  readonly lastAskedAt: Date;
  readonly status: QuestionStatus;
  /** The document that the team has written for the question, or null. */
  readonly documentId: string | null;
  /** E-mail address of the operator who set the status. Null if an API key set the status, or if it was never set. */
  readonly decidedBy: string | null;
  /** When the status was set. Null if it was never set. */
  readonly decidedAt: Date | null;
  /** Ids of the five latest conversations with the question. */
  readonly conversationIds: readonly string[];
  /** Ids of all messages with the question, latest first. */
  readonly messageIds: readonly string[];
}

interface UnansweredFilter {
  readonly projectId: string;
  readonly since?: Date | null;
  /** Default: OPEN. */
  readonly status?: QuestionStatus | null;
}

const maxConversationIds = 5;
const defaultLookbackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns questions of end users since `since` (default: 30 days ago) whose answer had low confidence or was rated
 * DOWN. Omits small talk and tests. Reads the latest 500 questions and groups them by meaning, most frequent group
 * first.
 * @throws DomainError from `requireProject`
 */
export async function listUnansweredQuestions(
  context: Context,
  input: UnansweredFilter,
): Promise<UnansweredQuestion[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const since = input.since ?? new Date(Date.now() - defaultLookbackMs);
  const asked = await findUnansweredQuestions(context, {
    ...{ projectId, since, until: null, kind: 'ASKED' },
  });
  const oldest = asked.at(-1);
  if (oldest === undefined) return [];
  const [decisions, earlier, answered] = await Promise.all([
    readDecisions(context, projectId),
    findUnansweredQuestions(context, {
      ...{ projectId, since: periodBefore(since), until: since, kind: 'EARLIER' },
    }),
    findAnsweredQuestions(context, { projectId, since: oldest.askedAt, until: null }),
  ]);
  const questions = [...decisions, ...asked, ...earlier, ...answered];
  const groups = joinMergedGroups(await groupQuestions(context, projectId, questions));
  const status = input.status ?? 'OPEN';
  return groups
    .flatMap((group) => summaryOf(group) ?? [])
    .filter((question) => question.status === status)
    .sort(mostFrequentFirst);
}

/** Returns one page of `listUnansweredQuestions`. */
export async function listUnansweredQuestionsByPage(
  context: Context,
  input: PageInput & UnansweredFilter,
): Promise<Page<UnansweredQuestion>> {
  return pageOf(input, await listUnansweredQuestions(context, input));
}

/**
 * Returns the start of the period before `since`, which has the same length. If `since` is in the future, the period is
 * empty.
 */
function periodBefore(since: Date): Date {
  return new Date(since.getTime() - Math.max(0, Date.now() - since.getTime()));
}

/** Returns the summary of a group, or null if the question was not asked in the period. */
function summaryOf({ questions, decision }: QuestionGroup): UnansweredQuestion | null {
  const isAsked = (question: (typeof questions)[number]): question is AskedQuestion =>
    question.kind === 'ASKED';
  const asked = questions.filter(isAsked);
  const latestFirst = asked.toSorted((a, b) => b.askedAt.getTime() - a.askedAt.getTime());
  const [latest] = latestFirst;
  const [mostFrequent] = asked;
  if (latest === undefined || mostFrequent === undefined) return null;
  const status = statusOf(questions, decision);
  const set = decision?.status === status ? decision : null;
  const conversationIds = [...new Set(latestFirst.map(({ conversationId }) => conversationId))];
  return {
    id: decision?.messageId ?? mostFrequent.messageId,
    question: mostFrequent.content,
    count: asked.length,
    previousCount: questions.filter(({ kind }) => kind === 'EARLIER').length,
    badFeedbackCount: asked.filter(({ isRatedBad }) => isRatedBad).length,
    lastAskedAt: latest.askedAt,
    status,
    documentId: decision?.documentId ?? null,
    decidedBy: set?.decidedBy ?? null,
    decidedAt: set?.decidedAt ?? null,
    conversationIds: conversationIds.slice(0, maxConversationIds),
    messageIds: latestFirst.map(({ messageId }) => messageId),
  };
}

function mostFrequentFirst(a: UnansweredQuestion, b: UnansweredQuestion): number {
  return b.count - a.count || b.lastAskedAt.getTime() - a.lastAskedAt.getTime();
}
