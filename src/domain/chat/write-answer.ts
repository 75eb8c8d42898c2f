import type { AnswerPart, TokenUsage } from '../../models/models.ts';
import type { FinishReason } from '../../platform/postgres/generated/prisma/enums.ts';
import type { OutputFilter } from '../output-filter/output-filter.ts';
import type { RecordStep } from './answer-draft.ts';
import type { CallRecorder } from './traces/answer-trace-recorder.ts';

/** The text of a chat model after the output filter, as readers received it. */
export interface WrittenAnswer {
  readonly content: string;
  /** The content without its introductory words. */
  readonly body: string;
  /** Whether the model reported that the sources do not contain the answer. */
  readonly isRefused: boolean;
  /** Null until the model has finished. */
  readonly finishReason: FinishReason | null;
  /** The error that ended the model's text. Null if it is complete. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Records the text of a chat model through the output filter, part by part as it arrives. Adds the model's token usage
 * to `usageBefore`. If the model stops or fails, the text that the filter still buffers becomes part of the partial
 * answer.
 */
export async function writeAnswer(
  parts: AsyncIterable<AnswerPart>,
  {
    filter,
    usageBefore,
    call,
  }: {
    readonly filter: OutputFilter;
    readonly usageBefore: TokenUsage;
    /** Records the call of the model. */
    readonly call?: CallRecorder;
  },
  record: RecordStep,
): Promise<WrittenAnswer> {
  let content = '';
  let lead = '';
  let isRefused = false;
  let finishReason: FinishReason | null = null;
  let failure: WrittenAnswer['failure'] = null;

  const append = (text: string) => {
    const shown = content === '' ? text.trimStart() : text;
    if (shown === '') return;
    content += shown;
    record({ type: 'delta', text: shown });
  };
  try {
    for await (const part of parts) {
      if (part.type === 'usage') {
        call?.setUsage(part.usage);
        record({ type: 'progress', usage: addUsage(usageBefore, part.usage) });
      } else if (part.type === 'text') {
        call?.firstToken();
        if (part.isLead) {
          lead += part.text;
          record({ type: 'progress', lead });
        }
        append(part.isLead ? part.text : filter.push(part.text));
      } else if (part.type === 'finish') {
        finishReason = part.reason;
        record({ type: 'progress', finishReason });
      } else {
        isRefused = true;
        if (content === '') filter.removeMarkers();
      }
    }
  } catch (error) {
    failure = { error };
  }
  call?.end();
  append(filter.flush());
  return { content, body: content.slice(lead.length), isRefused, finishReason, failure };
}

function addUsage(sum: TokenUsage, more: TokenUsage): TokenUsage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
  };
}

/**
 * Starts to read a generator immediately, so that other work can run while the generator waits. The first call of
 * `next` returns its first event, or throws its error.
 */
export function readAhead<T>(generator: AsyncGenerator<T, void, undefined>): AsyncIterable<T> {
  let first: Promise<IteratorResult<T, void>> | null = generator.next();
  // The reader receives this error at its first `next`. Without this handler, an earlier error would terminate the
  // process.
  first.catch(() => {});
  const iterator: AsyncIterator<T, void, undefined> = {
    next() {
      const next = first ?? generator.next();
      first = null;
      return next;
    },
    return: () => generator.return(undefined),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
