import { z } from 'zod';
import {
  type Answer,
  type AnswerFormat,
  annotationsOf,
  groundingOf,
  nowSeconds,
} from './answer-format.ts';
import { OpenAiRequestError, streamErrorFields } from './openai-error.ts';
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

/**
 * Returns the conversation that a request continues: the one it names, or that of the previous response.
 * @throws OpenAiRequestError when the previous response does not exist.
 */
export function conversationOf(body: z.infer<typeof responseRequest>): string | undefined {
  const { previous_response_id: previous, conversation, metadata } = body;
  if (previous === undefined) return conversation ?? metadata?.conversation_id;
  const [, hex] = /^resp_([0-9a-f]{32})[0-9a-f]{32}$/.exec(previous) ?? [];
  if (hex !== undefined) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  throw new OpenAiRequestError('The previous response does not exist', {
    ...{ status: 404, param: 'previous_response_id', code: 'previous_response_not_found' },
  });
}

interface Ids {
  readonly conversationId: string;
  readonly messageId: string;
}

/** The format of OpenAI's Responses. The id of a response contains those of its conversation and its message. */
export function responseFormat(request: {
  readonly model: string;
  readonly previousResponseId: string | undefined;
}): AnswerFormat {
  const createdAt = nowSeconds();
  let ids: Ids = { conversationId: '', messageId: '' };
  let sequenceNumber = 0;
  const event = (type: string, fields: object) => {
    const data = { type, sequence_number: sequenceNumber, ...fields };
    sequenceNumber += 1;
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const response = (status: string, fields: object) => ({
    ...{ id: responseId(ids), object: 'response', created_at: createdAt, status },
    ...{ model: request.model, previous_response_id: request.previousResponseId ?? null },
    ...unsetFields,
    ...{ conversation: { id: ids.conversationId } },
    ...fields,
  });
  const completed = (answer: Answer) => {
    const status = statusOf(answer);
    return response(status, {
      ...(status === 'incomplete' && { incomplete_details: { reason: 'max_output_tokens' } }),
      output: [messageItem(answer, status, [textPart(answer.content, annotations(answer))])],
      usage: usageOf(answer),
      grounding: groundingOf(answer),
    });
  };
  const part = () => ({ item_id: itemId(ids), output_index: 0, content_index: 0 });
  return {
    body(answer) {
      ids = answer;
      return completed(answer);
    },
    stream: {
      start(started) {
        ids = started;
        const running = { response: response('in_progress', { output: [], usage: null }) };
        return [
          event('response.created', running),
          event('response.in_progress', running),
          event('response.output_item.added', {
            output_index: 0,
            item: messageItem(ids, 'in_progress', []),
          }),
          event('response.content_part.added', { ...part(), part: textPart('', []) }),
        ].join('');
      },
      delta: (delta) => event('response.output_text.delta', { ...part(), delta, logprobs: [] }),
      done(answer) {
        const { content } = answer;
        const found = annotations(answer);
        const text = textPart(content, found);
        const status = statusOf(answer);
        const item = messageItem(ids, status, [text]);
        return [
          ...found.map((annotation, index) =>
            event('response.output_text.annotation.added', {
              ...{ ...part(), annotation_index: index, annotation },
            }),
          ),
          event('response.output_text.done', { ...part(), text: content, logprobs: [] }),
          event('response.content_part.done', { ...part(), part: text }),
          event('response.output_item.done', { output_index: 0, item }),
          event(`response.${status}`, { response: completed(answer) }),
        ].join('');
      },
      error(error) {
        const { code, message } = streamErrorFields(error);
        const failed = { output: [], usage: null, error: { code: 'server_error', message } };
        return [
          event('error', { code, message, param: null }),
          event('response.failed', { response: response('failed', failed) }),
        ].join('');
      },
    },
  };
}

function statusOf({ finishReason }: Answer): 'completed' | 'incomplete' {
  return finishReason === 'LENGTH' ? 'incomplete' : 'completed';
}

function responseId({ conversationId, messageId }: Ids): string {
  return `resp_${`${conversationId}${messageId}`.replaceAll('-', '')}`;
}

function itemId({ messageId }: Pick<Ids, 'messageId'>): string {
  return `msg_${messageId.replaceAll('-', '')}`;
}

function messageItem(ids: Pick<Ids, 'messageId'>, status: string, content: readonly object[]) {
  return { id: itemId(ids), type: 'message', status, role: 'assistant', content };
}

function textPart(text: string, annotations: readonly object[]): object {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

function annotations(answer: Answer): object[] {
  return annotationsOf(answer).map(({ fileId, fileName, quote, link, start, end }) => ({
    ...{ type: 'file_citation', file_id: fileId, filename: fileName, index: end },
    ...{ quote, start_index: start, end_index: end, ...link },
  }));
}

function usageOf({ inputTokens, outputTokens }: Answer): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** Fields of OpenAI's response object that do not apply to this service. */
const unsetFields = {
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: false,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'none',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  user: null,
};
