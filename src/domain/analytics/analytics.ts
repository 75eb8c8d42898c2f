import { toIsoTime } from '../../platform/iso-time.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { boundsOfDays, type DayRange, dayMs, resolveDayRange } from '../usage/day-range.ts';
import {
  type AnswerCounts,
  type ConversationCounts,
  type HandoffFigures,
  type OfDay,
  type OfPart,
  selectAnswers,
  selectConversations,
  selectHandoffs,
} from './analytics-sql.ts';

/** Figures of a project in one period. Conversations in the playground and small talk are not counted. */
export interface AnalyticsFigures
  extends Omit<AnswerCounts, 'confidenceSum'>,
    ConversationCounts,
    HandoffFigures {
  /** Mean confidence of the answers, 0 to 1. Null if there are no answers. */
  readonly confidence: number | null;
}

export interface AnalyticsDay extends AnalyticsFigures {
  /** Start of the day, UTC. */
  readonly day: Date;
}

export interface Analytics {
  readonly project: Project;
  /** First and last day of the period, as `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  readonly current: AnalyticsFigures;
  /** Figures of the period before: the same number of days, directly before `first`. */
  readonly previous: AnalyticsFigures;
  /** Each day of the period, oldest first, including days without conversations. */
  readonly days: readonly AnalyticsDay[];
}

/** Longest period, in days. Limits the rows that a call reads: it also reads the previous period of the same length. */
const maxDays = 92;

/**
 * Returns the analytics of a project for a range of at most 92 days, and for the same number of days before it.
 * @throws DomainError from `requireProject` and `resolveDayRange`
 */
export async function getAnalytics(
  context: Context,
  input: DayRange & { readonly projectId: string },
): Promise<Analytics> {
  const project = await requireProject(context, input.projectId, 'usage:read');
  const { first, last } = resolveDayRange(input, maxDays);
  const [start, end] = boundsOfDays({ first, last });
  const startTime = new Date(start).toISOString();
  const values = [project.id, toIsoTime(2 * start - end), toIsoTime(end)];
  const [answers, conversations, handoffs] = await Promise.all([
    runSql<OfDay & AnswerCounts>(context.db, selectAnswers, values),
    runSql<OfDay & ConversationCounts>(context.db, selectConversations, values),
    runSql<OfPart & HandoffFigures>(context.db, selectHandoffs, [...values, startTime]),
  ]);
  const figuresOf = (
    isOfDay: (day: string) => boolean,
    isOfPart: (part: OfPart) => boolean,
  ): AnalyticsFigures => ({
    ...sumAnswers(answers.filter(({ day }) => isOfDay(day))),
    ...sumConversations(conversations.filter(({ day }) => isOfDay(day))),
    ...(handoffs.find(isOfPart) ?? noHandoffs),
  });
  return {
    project,
    first,
    last,
    current: figuresOf(
      (day) => day >= first,
      (part) => part.day === null && part.isCurrent,
    ),
    previous: figuresOf(
      (day) => day < first,
      (part) => part.day === null && !part.isCurrent,
    ),
    days: Array.from({ length: (end - start) / dayMs }, (_, index) => {
      const day = new Date(start + index * dayMs);
      const name = day.toISOString().slice(0, 10);
      return {
        ...figuresOf(
          (day) => day === name,
          (part) => part.day === name,
        ),
        day,
      };
    }),
  };
}

function sumAnswers(days: readonly AnswerCounts[]): Omit<AnswerCounts, 'confidenceSum'> & {
  readonly confidence: number | null;
} {
  const sum = (read: (day: AnswerCounts) => number) =>
    days.reduce((all, day) => all + read(day), 0);
  const answers = sum((day) => day.answers);
  return {
    answers,
    unsure: sum((day) => day.unsure),
    confidence: answers === 0 ? null : sum((day) => day.confidenceSum) / answers,
    helpful: sum((day) => day.helpful),
    unhelpful: sum((day) => day.unhelpful),
    inputTokens: sum((day) => day.inputTokens),
    outputTokens: sum((day) => day.outputTokens),
    embeddingTokens: sum((day) => day.embeddingTokens),
  };
}

function sumConversations(days: readonly ConversationCounts[]): ConversationCounts {
  const sum = (read: (day: ConversationCounts) => number) =>
    days.reduce((all, day) => all + read(day), 0);
  return {
    conversations: sum((day) => day.conversations),
    deflected: sum((day) => day.deflected),
    handedOver: sum((day) => day.handedOver),
  };
}

const noHandoffs: HandoffFigures = {
  handoffs: 0,
  replied: 0,
  replyP50Seconds: null,
  replyP95Seconds: null,
  repliesDue: 0,
  repliesInTime: 0,
  resolved: 0,
  resolutionP50Seconds: null,
  resolutionP95Seconds: null,
  resolutionsDue: 0,
  resolutionsInTime: 0,
};
