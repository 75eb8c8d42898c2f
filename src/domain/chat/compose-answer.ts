import type { HistoryMessage } from '../../models/models.ts';
import type { Context } from '../context.ts';
import type { RecordStep } from './answer-draft.ts';
import { composeGroundedAnswer } from './compose-grounded-answer.ts';
import { maxHistoryMessages, readHistory } from './conversation-history.ts';
import type { Asked } from './find-passages.ts';
import type { InsertedTurn } from './insert-turn.ts';
import { answerSmallTalk } from './intents/answer-small-talk.ts';
import { withProjectModel } from './project-model.ts';

/**
 * Answers a message and records each step. Small talk is answered without retrieval, anything else by
 * `composeGroundedAnswer`.
 */
export async function composeAnswer(
  installation: Context,
  input: Omit<Asked, 'turn' | 'history'> & {
    readonly turn: InsertedTurn;
    /** See `ChatInput`. */
    readonly history?: readonly HistoryMessage[] | null | undefined;
  },
  record: RecordStep,
): Promise<void> {
  const { project, turn } = input;
  const context = withProjectModel(installation, project);
  const history =
    input.history?.slice(-maxHistoryMessages) ?? (await readHistory(context, project.id, turn));
  if (await answerSmallTalk(context, { ...input, history }, record)) return;
  await composeGroundedAnswer(context, { ...input, history }, record);
}
