import { z } from 'zod';
import type { TokenUsage } from './models.ts';

/** What one event of a chat completion stream says to us. */
export interface ChatChunk {
  /** Text for the reader: the answer, or the words of a refusal. */
  readonly text: string;
  readonly finishReason: string | null;
  readonly usage: TokenUsage | null;
}

/**
 * Reads an event as leniently as servers differ: the usage event has no choices, Azure's first event
 * has an empty list, several servers send null for what others leave out. Throws `ZodError`.
 */
export function readChatChunk(event: unknown): ChatChunk {
  const { choices, usage } = chunkSchema.parse(event);
  const choice = choices?.find((candidate) => (candidate.index ?? 0) === 0);
  return {
    text: `${choice?.delta?.content ?? ''}${choice?.delta?.refusal ?? ''}`,
    finishReason: choice?.finish_reason || null,
    usage: readUsage(usage),
  };
}

/** Reads a whole chat completion. Throws `ZodError`. */
export function readChatCompletion(body: unknown): ChatChunk {
  const { choices, usage } = completionSchema.parse(body);
  return {
    text: choices[0]?.message.content ?? '',
    finishReason: choices[0]?.finish_reason || null,
    usage: readUsage(usage),
  };
}

const usageSchema = z
  .object({ prompt_tokens: z.number(), completion_tokens: z.number() })
  .nullish()
  .catch(null);

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        finish_reason: z.string().nullish(),
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  usage: usageSchema,
});

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: usageSchema,
});

function readUsage(usage: z.infer<typeof usageSchema>): TokenUsage | null {
  return usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : null;
}
