import { z } from 'zod';
import { OpenAiRequestError } from './openai-error.ts';
import {
  documentFilter,
  endUser,
  ignoredFields,
  inputMessages,
  refusedFields,
} from './request-fields.ts';

/** Body of `POST /v1/responses`. */
export const responseRequest = z.strictObject({
  model: z.string(),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    inputMessages,
  ),
  stream: z.boolean().default(false),
  stream_options: z.looseObject({}).optional(),
  previous_response_id: z.string().optional(),
  conversation: z
    .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
    .optional(),
  user: endUser,
  filter: documentFilter,
  metadata: z.looseObject({ conversation_id: z.string().optional() }).optional(),
  text: z
    .looseObject({
      format: z.looseObject({ type: z.literal('text', 'only text is supported') }).optional(),
    })
    .optional(),
  background: z.literal(false, 'is not supported').optional(),
  include: z.array(z.string()).optional(),
  instructions: z.string().optional(),
  max_output_tokens: z.number().optional(),
  max_tool_calls: z.number().optional(),
  reasoning: z.looseObject({}).optional(),
  truncation: z.string().optional(),
  ...ignoredFields,
  ...refusedFields,
});

export type ResponseRequest = z.infer<typeof responseRequest>;

/**
 * Returns the id of the conversation that a request continues: either the request names the conversation, or the
 * previous response belongs to it.
 * @throws OpenAiRequestError when the previous response does not exist.
 */
export function conversationOf(body: ResponseRequest): string | undefined {
  const { previous_response_id: previous, conversation, metadata } = body;
  if (previous === undefined) return conversation ?? metadata?.conversation_id;
  const [, hex] = /^resp_([0-9a-f]{32})[0-9a-f]{32}$/.exec(previous) ?? [];
  if (hex !== undefined) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  throw new OpenAiRequestError('The previous response does not exist', {
    ...{ status: 404, param: 'previous_response_id', code: 'previous_response_not_found' },
  });
}
