import { APIError } from 'openai/core/error';
import { modelFailure } from '../availability/model-failure.ts';
import { recordResponseModel } from '../model-span.ts';
import type { AnswerPart, FinishReason, TokenUsage } from '../models.ts';
import type { ServerSentEvent } from './event-stream.ts';
import { readChatChunk } from './openai-chunk.ts';
import type { ReportInvalidUsage } from './reported-tokens.ts';

/** The state of a streamed chat completion. */
export interface ChatParts {
  /** Null until the server has sent a finish reason. */
  readonly finishReason: FinishReason | null;
  readonly usage: TokenUsage | null;
  /** Whether the server has sent `[DONE]`. Events after it are ignored. */
  readonly isDone: boolean;
  /**
   * Returns the answer parts in these events. Consecutive texts are joined. An invalid event ends the stream: its error
   * is returned as `failure`, together with the parts before it.
   */
  read(events: readonly ServerSentEvent[]): {
    readonly parts: readonly AnswerPart[];
    readonly failure: { readonly error: unknown } | null;
  };
}

/** Creates the state of a stream. The text of the stream may have at most `maxLength` UTF-16 units. */
export function createChatParts(
  headers: Headers,
  maxLength: number,
  reportInvalid: ReportInvalidUsage,
): ChatParts {
  let finishReason: FinishReason | null = null;
  let usage: TokenUsage | null = null;
  let isDone = false;
  let length = 0;
  let parts: AnswerPart[] = [];
  let text = '';
  const flushText = () => {
    if (text !== '') parts.push({ type: 'text', text });
    text = '';
  };
  const refuse = () => {
    flushText();
    parts.push({ type: 'refusal' });
  };
  const readEvent = (event: ServerSentEvent) => {
    if (event.data === '[DONE]') {
      isDone = true;
      return;
    }
    const body = parseEvent(event, headers);
    if (length === 0) recordResponseModel(body);
    const chunk = readChatChunk(body, reportInvalid);
    length += chunk.text.length + chunk.refusal.length;
    if (length > maxLength) throw modelFailure('The answer of the model is too long');
    if (finishReason === null) {
      if (chunk.refusal !== '') refuse();
      text += chunk.text + chunk.refusal;
    }
    usage = chunk.usage ?? usage;
    if (chunk.finishReason === null) return;
    finishReason = readFinishReason(chunk.finishReason);
    if (chunk.finishReason === 'refusal') refuse();
  };
  return {
    get finishReason() {
      return finishReason;
    },
    get usage() {
      return usage;
    },
    get isDone() {
      return isDone;
    },
    read(events) {
      parts = [];
      let failure: { readonly error: unknown } | null = null;
      try {
        for (const event of events) if (!isDone) readEvent(event);
      } catch (error) {
        failure = { error };
      }
      flushText();
      return { parts, failure };
    },
  };
}

/** Returns the JSON of an event. Servers report errors as an event with the name `error` or with a field `error`. */
function parseEvent({ name, data }: ServerSentEvent, headers: Headers): unknown {
  const body: unknown = JSON.parse(data);
  const reported =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  if (name !== 'error' && !reported) return body;
  throw new APIError(undefined, errorBody(reported || body), undefined, headers);
}

function errorBody(reported: unknown): object {
  return typeof reported === 'object' && reported !== null
    ? reported
    : { message: String(reported) };
}

/** Finish reasons that mean that the model stopped without an error, in the spellings that servers use. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ...['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'refusal'].map(
    (spelling) => [spelling, 'STOP'] as const,
  ),
  ...['length', 'max_tokens', 'model_length'].map((spelling) => [spelling, 'LENGTH'] as const),
]);

function readFinishReason(spelling: string): FinishReason {
  if (spelling.startsWith('content_filter')) {
    throw modelFailure("The model provider's content filter stopped the answer");
  }
  const reason = finishReasons.get(spelling.toLowerCase());
  if (reason === undefined) {
    throw modelFailure('The model finished its answer with an unknown finish reason');
  }
  return reason;
}
