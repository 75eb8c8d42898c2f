import type { HistoryMessage } from '../../models/models.ts';
import type { Context } from '../context.ts';
import type { AnswerDraft } from './answer-draft.ts';
import type { AnswerEvent } from './chat-event.ts';
import { type Asked, composeGroundedAnswer } from './compose-grounded-answer.ts';
import { maxHistoryMessages, readHistory } from './conversation-history.ts';
import type { InsertedTurn } from './insert-turn.ts';
import { answerSmallTalk } from './intents/answer-small-talk.ts';
import { withProjectModel } from './project-model.ts';

/**
 * Emits the events of an answer and updates `draft` after each step. Small talk is answered without retrieval, anything
 * else by `composeGroundedAnswer`.
 */
export async function* composeAnswer(
  installation: Context,
  input: Omit<Asked, 'turn' | 'history'> & {
    readonly turn: InsertedTurn;
    /** See `ChatInput`. */
    readonly history?: readonly HistoryMessage[] | null | undefined;
  },
  draft: AnswerDraft,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { project, turn } = input;
  const context = withProjectModel(installation, project);
  const history =
    input.history?.slice(-maxHistoryMessages) ?? (await readHistory(context, project.id, turn));
  if (yield* answerSmallTalk(context, { ...input, history }, draft)) return;
  yield* composeGroundedAnswer(context, { ...input, history }, draft);
}
