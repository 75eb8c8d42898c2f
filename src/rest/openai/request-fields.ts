import { z } from 'zod';
import { hasAtMostCodePoints, hasNoNul, isWellFormed } from '../../text/text-rules.ts';
import { OpenAiRequestError } from './openai-error.ts';

const maxQuestionLength = 4_000;
const maxMessages = 1_000;

/** A message of the conversation. */
export interface InputMessage {
  readonly role: 'user' | 'assistant' | 'system' | 'developer';
  readonly content: string;
}

/** A question and the earlier messages of its conversation. */
export interface AskedQuestion {
  readonly message: string;
  readonly history: { readonly isAnswer: boolean; readonly content: string }[];
}

/** A text that the database can store. */
export const requestText = z
  .string()
  .refine(hasNoNul, 'must not contain NUL characters')
  .refine(isWellFormed, 'must be well-formed Unicode');

const textPart = z
  .looseObject({
    type: z.enum(['text', 'input_text', 'output_text'], 'only text is supported'),
    text: requestText,
  })
  .transform((part) => part.text);

/** A text, or a list of parts with text. */
const content = z.union([requestText, z.array(textPart).transform((parts) => parts.join('\n'))], {
  error: 'must be a text, or a list of parts with text',
});

const role = z.enum(
  ['user', 'assistant', 'system', 'developer'],
  'must be user, assistant, system or developer: tools are not supported',
);

/** Messages of a conversation, oldest first. */
export const inputMessages = z
  .array(z.looseObject({ role, content: content.nullish().transform((value) => value ?? '') }))
  .min(1, 'must have at least one message')
  .max(maxMessages, `must have at most ${maxMessages} messages`);

/** Model settings that clients send. They are ignored, because the project's own settings apply. */
export const ignoredFields = {
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  store: z.boolean().optional(),
  parallel_tool_calls: z.boolean().optional(),
  service_tier: z.string().optional(),
  safety_identifier: z.string().optional(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.string().optional(),
  verbosity: z.string().optional(),
  top_logprobs: z.number().optional(),
};

const noTools = 'tools are not supported: the assistant answers from its documents';

/** Options that would change the kind of answer. Only values that switch these options off are accepted. */
export const refusedFields = {
  tools: z.array(z.unknown()).max(0, noTools).optional(),
  tool_choice: z.enum(['none', 'auto'], noTools).optional(),
};

/** The documents to answer from. OpenAI's API does not have this field. */
export const documentFilter = z.record(z.string(), z.unknown()).optional();

/** Id of an end user. The rules are the same as in the REST API. */
export const endUser = z
  .string()
  .min(1, 'must not be empty')
  .refine(hasAtMostCodePoints(128), 'must be at most 128 characters')
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'must be printable characters')
  .optional();

/**
 * Returns the last message of the user as the question, and the earlier messages as its history. System messages are
 * left out, because the project has its own instructions.
 * @throws OpenAiRequestError when there is no question, or when it is blank or too long.
 */
export function readQuestion(messages: readonly InputMessage[], param: string): AskedQuestion {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const message = messages[last]?.content.normalize('NFC');
  if (message === undefined) {
    throw new OpenAiRequestError(`'${param}' must have a message of the user`, { param });
  }
  const field = `${param}[${last}].content`;
  if (message.trim() === '') throw invalid(field, 'must not be blank');
  if (!hasAtMostCodePoints(maxQuestionLength)(message)) {
    throw invalid(field, `must be at most ${maxQuestionLength} characters`);
  }
  const earlier = messages.slice(0, last).filter(({ content }) => content.trim() !== '');
  const history = earlier
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .slice(-maxHistoryMessages)
    .map(({ role, content }) => ({
      isAnswer: role === 'assistant',
      content: content.slice(0, maxHistoryLength).toWellFormed(),
    }));
  return { message, history };
}

const maxHistoryMessages = 12;
const maxHistoryLength = 30_000;

function invalid(param: string, problem: string): OpenAiRequestError {
  return new OpenAiRequestError(`Invalid value for '${param}': ${problem}`, { param });
}
