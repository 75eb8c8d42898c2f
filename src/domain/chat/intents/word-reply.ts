import type { HistoryMessage } from '../../../models/models.ts';
import { confidentialReplyTexts } from '../../../models/prompt/reply-prompt.ts';
import type { Context } from '../../context.ts';
import type { Project } from '../../organizations/find-project.ts';
import { createOutputFilter } from '../../output-filter/output-filter.ts';
import type { RecordStep } from '../answer-draft.ts';
import type { InsertedTurn } from '../insert-turn.ts';
import type { StartSlot } from '../runs/answer-starts.ts';

export interface SmallTalkTurn {
  readonly project: Project;
  readonly turn: InsertedTurn;
  readonly question: string;
  readonly history: readonly HistoryMessage[];
  /** Start slot of the answer. Released while a language model works. */
  readonly start: StartSlot;
}

/**
 * Lets the chat model rephrase `builtIn` according to the project's instructions, and returns its text. Returns
 * `builtIn` itself if there is no language model, or if the model's text is missing, late or repeats the prompt.
 */
export async function wordReply(
  { models, signal, log, answerTrace }: Context,
  { project, question, start }: SmallTalkTurn,
  builtIn: string,
  record: RecordStep,
): Promise<string> {
  const { chat } = models;
  if (chat.isExtractive || chat.wordReply === undefined) return builtIn;
  const word = chat.wordReply.bind(chat);
  const { instructions } = project;
  try {
    const request = { instructions, message: question, meaning: builtIn };
    const { text, usage } = await start.whileReleased(signal, () => word(request, signal));
    record({ type: 'progress', model: chat.name, chatModel: chat.name, usage });
    const filter = createOutputFilter({
      sources: [],
      question,
      confidential: confidentialReplyTexts(instructions),
      fallbackText: builtIn,
    });
    const shown = `${filter.push(text)}${filter.flush()}`.trim();
    answerTrace?.setFiltered(filter.filtered);
    return shown === '' || filter.isPromptLeaked ? builtIn : shown;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, projectId: project.id }, 'failed to word a reply to small talk');
    return builtIn;
  }
}
