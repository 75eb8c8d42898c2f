import { z } from 'zod';
import type { TokenUsage } from '../models.ts';
import { type ReportInvalidUsage, readTokenCounts } from './reported-tokens.ts';

/** Those fields of a chat completion event that this service uses. */
export interface ChatChunk {
  readonly text: string;
  /** Text with which the model rejects the request. It replaces the answer. */
  readonly refusal: string;
  readonly finishReason: string | null;
  /** Null if the event has no usage, or wrong token counts. */
  readonly usage: TokenUsage | null;
}

/**
 * Parses an event. Tolerates differences between servers: the usage event has no choices, Azure's first event has an
 * empty list of choices, and several servers send null for a missing field.
 *
 * @throws ZodError when the event has another shape.
 */
export function readChatChunk(event: unknown, reportInvalid: ReportInvalidUsage): ChatChunk {
  return readTextChunk(event) ?? parseChunk(event, reportInvalid);
}

/**
 * Returns the chunk of an event that contains only text. Returns null for any other event. Nearly all events contain
 * only text, and parsing with the schema costs several times more.
 */
function readTextChunk(event: unknown): ChatChunk | null {
  if (!isRecord(event) || event.usage != null || !Array.isArray(event.choices)) return null;
  const [choice, ...others]: unknown[] = event.choices;
  if (others.length > 0 || !isRecord(choice) || !isRecord(choice.delta)) return null;
  const { content, refusal } = choice.delta;
  const isText = typeof content === 'string' && refusal == null && choice.finish_reason == null;
  if (!isText || (choice.index != null && choice.index !== 0)) return null;
  return { text: content, refusal: '', finishReason: null, usage: null };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function parseChunk(event: unknown, reportInvalid: ReportInvalidUsage): ChatChunk {
  const { choices, usage } = chunkSchema.parse(event);
  const choice = choices?.find((candidate) => (candidate.index ?? 0) === 0);
  return {
    text: textOf(choice?.delta?.content),
    refusal: choice?.delta?.refusal ?? '',
    finishReason: choice?.finish_reason || null,
    usage: readUsage(usage, reportInvalid),
  };
}

/**
 * Parses a complete chat completion.
 *
 * @throws ZodError when the body has another shape.
 */
export function readChatCompletion(body: unknown, reportInvalid: ReportInvalidUsage): ChatChunk {
  const { choices, usage } = completionSchema.parse(body);
  return {
    text: textOf(choices[0]?.message.content),
    refusal: '',
    finishReason: choices[0]?.finish_reason || null,
    usage: readUsage(usage, reportInvalid),
  };
}

/**
 * Some servers send the content as a list of parts. Parts of other types, such as `thinking`, do not belong to the
 * answer.
 */
const contentSchema = z
  .union([
    z.string(),
    z.array(
      z.object({
        type: z.string().nullish(),
        text: z.string().nullish().catch(null),
      }),
    ),
  ])
  .nullish();

function textOf(content: z.infer<typeof contentSchema>): string {
  if (!Array.isArray(content)) return content ?? '';
  return content
    .filter(({ type }) => type == null || type === 'text' || type === 'output_text')
    .map(({ text }) => text ?? '')
    .join('');
}

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        finish_reason: z.string().nullish(),
        delta: z.object({ content: contentSchema, refusal: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: contentSchema }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

function readUsage(usage: unknown, reportInvalid: ReportInvalidUsage): TokenUsage | null {
  const counts = readTokenCounts(usage, ['prompt_tokens', 'completion_tokens'], reportInvalid);
  if (counts === null) return null;
  const [inputTokens = 0, outputTokens = 0] = counts;
  return { inputTokens, outputTokens };
}
