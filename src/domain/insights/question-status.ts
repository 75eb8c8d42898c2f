import type { QuestionStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { QuestionGroup } from './join-merged-groups.ts';

/**
 * Returns the status of a group.
 *
 * - A dismissed group stays dismissed, even if its questions are asked again.
 * - A group that was marked as done is open again if one of its questions is asked later and not answered well.
 * - A group also becomes done if a question was answered well after the last question that was not answered well. If
 *   the team has opened the group again, only later answers count.
 */
export function statusOf(
  questions: QuestionGroup['questions'],
  decision: QuestionGroup['decision'],
): QuestionStatus {
  const lastAskedAt = latestOf(questions, 'ASKED');
  if (decision?.status === 'DISMISSED') return 'DISMISSED';
  const decidedAt = decision?.decidedAt.getTime() ?? 0;
  if (decision?.status === 'DONE' && decidedAt >= lastAskedAt) return 'DONE';
  const since = decision?.status === 'OPEN' ? Math.max(lastAskedAt, decidedAt) : lastAskedAt;
  return latestOf(questions, 'ANSWERED') > since ? 'DONE' : 'OPEN';
}

/** Returns the time of the latest question of this kind, or 0 if there is none. */
function latestOf(questions: QuestionGroup['questions'], kind: 'ASKED' | 'ANSWERED'): number {
  let latest = 0;
  for (const question of questions) {
    if (question.kind === kind) latest = Math.max(latest, question.askedAt.getTime());
  }
  return latest;
}
