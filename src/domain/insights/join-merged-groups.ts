import type { AskedQuestion } from './find-questions.ts';
import type { DecidedQuestion } from './question-decisions.ts';

type ComparedQuestion = AskedQuestion | DecidedQuestion;

/** Questions that have the same meaning, or that the team has merged. */
export interface QuestionGroup {
  readonly questions: readonly ComparedQuestion[];
  /** The latest decision about the group, or null. */
  readonly decision: DecidedQuestion | null;
}

/**
 * Joins groups that the team has merged. The joined group takes its wording from the group that was asked most often.
 */
export function joinMergedGroups(
  groups: readonly (readonly ComparedQuestion[])[],
): QuestionGroup[] {
  const decided: { rootIds: Set<string>; questions: ComparedQuestion[] }[] = [];
  const undecided: QuestionGroup[] = [];
  for (const questions of groups.toSorted((a, b) => countAsked(b) - countAsked(a))) {
    const rootIds = new Set(
      questions.flatMap((question) => (question.kind === 'DECIDED' ? question.rootId : [])),
    );
    const sharesRoot = (group: { readonly rootIds: ReadonlySet<string> }) =>
      [...rootIds].some((id) => group.rootIds.has(id));
    const [first, ...others] = decided.filter(sharesRoot);
    if (rootIds.size === 0) undecided.push({ questions, decision: null });
    else if (first === undefined) decided.push({ rootIds, questions: [...questions] });
    else {
      for (const other of others) decided.splice(decided.indexOf(other), 1);
      first.rootIds = new Set(
        [first, ...others, { rootIds }].flatMap(({ rootIds }) => [...rootIds]),
      );
      first.questions.push(...others.flatMap(({ questions }) => questions), ...questions);
    }
  }
  return [
    ...decided.map(({ questions }) => ({ questions, decision: latestDecision(questions) })),
    ...undecided,
  ];
}

function latestDecision(questions: readonly ComparedQuestion[]): DecidedQuestion | null {
  let latest: DecidedQuestion | null = null;
  for (const question of questions) {
    if (question.kind !== 'DECIDED') continue;
    if (latest === null || question.decidedAt > latest.decidedAt) latest = question;
  }
  return latest;
}

function countAsked(questions: readonly ComparedQuestion[]): number {
  return questions.filter(({ kind }) => kind === 'ASKED').length;
}
