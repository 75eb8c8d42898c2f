import type { ChatReply } from '../../src/domain/chat/chat-event.ts';
import { sendMessage } from '../../src/domain/chat/send-message.ts';
import type { Context } from '../../src/domain/context.ts';
import { createAnswerMatcher } from '../../src/domain/evaluation/match-answer.ts';
import { wordCount } from '../../src/text/readable-text.ts';
import type { Conversation, ConversationSet, ConversationTurn } from './conversation-set.ts';
import { loadSet } from './evaluate-question.ts';
import { isAbstention } from './is-abstention.ts';

/** Result of one conversation. A conversation is good if no turn has a fault. */
export interface ConversationResult {
  readonly id: string;
  readonly category: string;
  readonly turns: readonly TurnResult[];
  readonly isGood: boolean;
}

interface TurnResult {
  readonly user: string;
  readonly content: string;
  readonly confidence: number;
  /** What is wrong with the reply. Empty if the reply is good. */
  readonly faults: readonly string[];
}

/** Ingests the documents and runs all conversations, one after another. */
export async function evaluateConversations(
  context: Context,
  organizationId: string,
  { sites, conversations }: ConversationSet,
): Promise<ConversationResult[]> {
  const projectIds = new Map<string, string>();
  for (const site of sites) {
    const { projectId } = await loadSet(context, organizationId, site);
    projectIds.set(site.name, projectId);
  }
  const results: ConversationResult[] = [];
  for (const conversation of conversations) {
    context.signal.throwIfAborted();
    const projectId = projectIds.get(conversation.site);
    if (projectId === undefined) throw new Error(`no documents for the site ${conversation.site}`);
    results.push(await evaluateConversation(context, projectId, conversation));
  }
  return results;
}

async function evaluateConversation(
  context: Context,
  projectId: string,
  { id, category, turns }: Conversation,
): Promise<ConversationResult> {
  const results: TurnResult[] = [];
  let conversationId: string | null = null;
  for (const turn of turns) {
    const message = turn.user;
    const reply: ChatReply = await sendMessage(context, { projectId, message, conversationId });
    const faults = faultsOf(turn, reply, results.at(-1)?.content);
    results.push({ user: message, content: reply.content, confidence: reply.confidence, faults });
    conversationId = reply.conversationId;
  }
  return { id, category, turns: results, isGood: results.every(({ faults }) => !faults.length) };
}

/** Returns what is wrong with the reply. `previous` is the reply of the previous turn. */
export function faultsOf(
  turn: ConversationTurn,
  reply: Pick<ChatReply, 'content' | 'citations'>,
  previous?: string,
): string[] {
  const { content, citations } = reply;
  const contains = createAnswerMatcher(content);
  const words = wordCount(content.replace(/ ?\[\d+\]/g, ''));
  const isAnswer = !isAbstention(content, citations.length);
  const checks: [fault: string, isFault: boolean][] = [
    [turn.reply === 'answer' ? 'refuses' : 'answers', isAnswer !== (turn.reply === 'answer')],
    [`cites not ${turn.cites}`, turn.cites !== undefined && !citesDocument(reply, turn.cites)],
    [`has ${words} words`, words > turn.maxWords],
    ['repeats the previous reply', turn.differs && content === previous],
    ...turn.contains.map((group): [string, boolean] => [
      `lacks "${group.join('" or "')}"`,
      !contains(group),
    ]),
    ...turn.excludes.map((text): [string, boolean] => [`contains "${text}"`, contains([text])]),
  ];
  return checks.filter(([, isFault]) => isFault).map(([fault]) => fault);
}

/** Returns whether a marker of the reply refers to the document. */
function citesDocument(
  { content, citations }: Pick<ChatReply, 'content' | 'citations'>,
  documentName: string,
): boolean {
  const numbers = [...content.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
  return numbers.some((number) => citations[number - 1]?.documentName === documentName);
}

/** Returns two numbers per category and in total: the good conversations, and all conversations. */
export function countGood(
  results: readonly ConversationResult[],
): ReadonlyMap<string, { readonly good: number; readonly total: number }> {
  const categories = [...new Set(results.map(({ category }) => category)), 'total'];
  return new Map(
    categories.map((name) => {
      const those = results.filter(({ category }) => name === 'total' || category === name);
      return [name, { good: those.filter(({ isGood }) => isGood).length, total: those.length }];
    }),
  );
}

/** Formats every conversation that is not good: its messages, replies and faults. */
export function formatFailures(results: readonly ConversationResult[]): string {
  return results
    .filter(({ isGood }) => !isGood)
    .map(({ id, turns }) => [`## ${id}`, ...turns.map(formatTurn)].join('\n'))
    .join('\n\n');
}

function formatTurn({ user, content, confidence, faults }: TurnResult): string {
  const verdict = faults.length === 0 ? 'good' : faults.join('; ');
  return `User: ${user}\nReply (${confidence.toFixed(2)}): ${content}\n=> ${verdict}`;
}
