import type { Source, TokenUsage } from '../../models/models.ts';
import type { FinishReason } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Intent } from '../../text/intents/intent.ts';
import type { Citation } from '../conversations/citation.ts';
import { chatTokens, type TokenCount } from '../usage/token-count.ts';
import type { AnswerEvent, ChatReply } from './chat-event.ts';

/** An answer while it is generated. Contains what is stored if generation stops now. */
export interface AnswerDraft extends AnswerProgress {
  readonly content: string;
  readonly latencyMs: number;
}

/** Results of the steps that produce an answer, except the text of the answer. */
interface AnswerProgress {
  readonly citations: readonly Citation[];
  /** Words of the model before its answer, such as "The same passage applies:". The content starts with them. */
  readonly lead: string;
  /** Sources that the model received. */
  readonly sources: readonly Source[];
  readonly confidence: number;
  /** The confidence that was compared with the project's threshold. Null if nothing was retrieved. */
  readonly retrievalConfidence: number | null;
  readonly model: string | null;
  /** The question with corrected spelling. Null if nothing was corrected. */
  readonly correctedQuestion: string | null;
  /** Null until the chat model has finished. */
  readonly finishReason: FinishReason | null;
  readonly usage: TokenUsage;
  /** Name of the model that `usage` is from. Null until it is known. */
  readonly chatModel: string | null;
  /** Tokens of the search. */
  readonly searchTokens: readonly TokenCount[];
  /** Null unless the message is small talk. */
  readonly intent: Intent | null;
}

export const emptyDraft: AnswerDraft = Object.freeze({
  content: '',
  lead: '',
  citations: [],
  sources: [],
  confidence: 0,
  retrievalConfidence: null,
  latencyMs: 0,
  model: null,
  correctedQuestion: null,
  finishReason: null,
  usage: { inputTokens: 0, outputTokens: 0 },
  chatModel: null,
  searchTokens: [],
  intent: null,
});

/** Returns all tokens that an answer has used so far. */
export function tokensOf({
  chatModel,
  usage,
  searchTokens,
}: Pick<AnswerDraft, 'chatModel' | 'usage' | 'searchTokens'>): readonly TokenCount[] {
  return [...(chatModel === null ? [] : chatTokens(chatModel, usage)), ...searchTokens];
}

/** A step of an answer: either an event that readers receive, or progress that is only stored. */
export type AnswerStep = AnswerEvent | ({ readonly type: 'progress' } & Partial<AnswerProgress>);

export type RecordStep = (step: AnswerStep) => void;

/** Creates the draft of an answer. `record` is the only way to change it, and passes events on to `onEvent`. */
export function createAnswerDraft(onEvent: (event: AnswerEvent) => void = () => {}): {
  readonly draft: AnswerDraft;
  readonly record: RecordStep;
} {
  const draft = { ...emptyDraft };
  const record: RecordStep = (step) => {
    if (step.type === 'progress') {
      const { type: _, ...progress } = step;
      Object.assign(draft, progress);
      return;
    }
    if (step.type === 'delta') draft.content += step.text;
    else draft.confidence = step.confidence;
    onEvent(step);
  };
  return { draft, record };
}

/** Returns the answer in the format that its reader receives. */
export function replyOf(
  { conversationId, messageId }: Pick<ChatReply, 'conversationId' | 'messageId'>,
  draft: AnswerDraft,
): ChatReply {
  const { content, citations, confidence, latencyMs, intent, correctedQuestion } = draft;
  const { finishReason, usage } = draft;
  return {
    ...{ conversationId, messageId, content, citations, confidence, latencyMs },
    ...{ correctedQuestion, intent, finishReason, usage },
  };
}
