import type { Context } from '../context.ts';
import { readDecisions } from '../insights/question-decisions.ts';
import { type Page, type PageInput, pageOf } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requirePermission } from '../permissions.ts';
import {
  findProposableQuestions,
  type ProposableQuestion,
  type ProposalReason,
} from './find-proposable-questions.ts';
import { isCurrent } from './question-rows.ts';
import { getQuestionSet, type QuestionSet } from './question-sets.ts';
import { wordingOf } from './question-wording.ts';

/** A question from a conversation that could be added to a set. Represents all questions with the same wording. */
export interface QuestionProposal extends ProposableQuestion {
  /** Number of questions with this wording among those that were read. */
  readonly count: number;
}

const defaultLookbackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns one page of questions that end users asked since `since` (default: 30 days ago) and that the set does not
 * have, newest first. Each wording is returned once, with its strongest reason. Omits questions that the team has
 * dismissed as unanswered questions. Embeds and stores nothing.
 * @throws DomainError from `requireProject`
 * @throws DomainError NOT_FOUND when the set is unknown
 */
export async function listQuestionProposals(
  context: Context,
  input: PageInput & {
    readonly setId: string;
    readonly projectId?: string | null;
    readonly since?: Date | null;
    readonly reason?: ProposalReason | null;
  },
): Promise<Page<QuestionProposal>> {
  requirePermission(context.caller, 'conversations:read');
  const target = { id: input.setId, projectId: input.projectId ?? null };
  const set = await getQuestionSet(context, target, 'evaluation:write');
  const { id: projectId } = await requireProject(context, set.projectId, 'conversations:read');
  const since = input.since ?? new Date(Date.now() - defaultLookbackMs);
  const proposals = groupByWording(await findProposableQuestions(context, { projectId, since }));
  await removeDismissed(context, projectId, proposals);
  await removeKnown(context, set, proposals);
  const newestFirst = [...proposals.values()]
    .filter(({ reason }) => input.reason == null || reason === input.reason)
    .sort((one, other) => other.askedAt.getTime() - one.askedAt.getTime());
  return pageOf(input, newestFirst);
}

type ProposalsByWording = Map<string, QuestionProposal>;

/** Groups questions that are sorted by time, latest first. */
function groupByWording(questions: readonly ProposableQuestion[]): ProposalsByWording {
  const groups = new Map<string, { best: ProposableQuestion; readonly messageIds: Set<string> }>();
  for (const question of questions) {
    const wording = wordingOf(question.question);
    if (wording === '') continue;
    const group = groups.get(wording) ?? { best: question, messageIds: new Set() };
    groups.set(wording, group);
    group.messageIds.add(question.messageId);
    if (weaknessOf(question) < weaknessOf(group.best)) group.best = question;
  }
  return new Map(
    [...groups].map(([wording, { best, messageIds }]) => [
      wording,
      { ...best, question: best.question.trim(), count: messageIds.size },
    ]),
  );
}

/** Returns a rank of the reason: 0 is the strongest. A resolved handoff without a reply shows no right answer. */
function weaknessOf({ reason, humanReply }: ProposableQuestion): number {
  switch (reason) {
    case 'RESOLVED':
      return humanReply === null ? 2 : 0;
    case 'CLAIMED':
      return 1;
    case 'RATED_DOWN':
      return 3;
    case 'UNANSWERED':
      return 4;
  }
}

/** Removes wordings that the team has dismissed. Compares the texts only, because meanings need embeddings. */
async function removeDismissed(
  context: Context,
  projectId: string,
  proposals: ProposalsByWording,
): Promise<void> {
  if (proposals.size === 0) return;
  for (const { status, content } of await readDecisions(context, projectId)) {
    if (status === 'DISMISSED') proposals.delete(wordingOf(content));
  }
}

/** Size of a batch, so that a set with 10,000 long questions is never in memory as a whole. */
const batchSize = 1_000;

/** Removes wordings that the set already has. */
async function removeKnown(
  { db }: Context,
  { id: setId, projectId }: QuestionSet,
  proposals: ProposalsByWording,
): Promise<void> {
  let position = 0;
  while (proposals.size > 0) {
    const batch = await db.setQuestion.findMany({
      where: { setId, projectId, ...isCurrent, position: { gt: position } },
      orderBy: { position: 'asc' },
      take: batchSize,
      select: { question: true, position: true },
    });
    for (const { question } of batch) proposals.delete(wordingOf(question));
    const last = batch.at(-1);
    if (last === undefined || batch.length < batchSize) return;
    position = last.position;
  }
}
