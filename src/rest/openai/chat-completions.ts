import { z } from 'zod';
import {
  type Answer,
  type AnswerFormat,
  annotationsOf,
  groundingOf,
  nowSeconds,
} from './answer-format.ts';
import { streamErrorFields } from './openai-error.ts';
import {
  documentFilter,
  endUser,
  ignoredFields,
  inputMessages,
  refusedFields,
} from './request-fields.ts';

/** Body of `POST /v1/chat/completions`. */
export const chatCompletionRequest = z.strictObject({
  model: z.string(),
  messages: inputMessages,
  stream: z.boolean().default(false),
  stream_options: z.looseObject({ include_usage: z.boolean().default(false) }).optional(),
  user: endUser,
  filter: documentFilter,
  metadata: z.looseObject({ conversation_id: z.string().optional() }).optional(),
  n: z.literal(1, 'only one answer is supported').optional(),
  response_format: z.looseObject({ type: z.literal('text', 'only text is supported') }).optional(),
  modalities: z.array(z.literal('text', 'only text is supported')).optional(),
  logprobs: z.literal(false, 'is not supported').optional(),
  functions: z.array(z.unknown()).max(0, 'is not supported').optional(),
  function_call: z.enum(['none', 'auto'], 'is not supported').optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  seed: z.number().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  logit_bias: z.looseObject({}).optional(),
  reasoning_effort: z.string().optional(),
  ...ignoredFields,
  ...refusedFields,
});

/** The format of OpenAI's Chat Completions. */
export function chatCompletionFormat({
  model,
  includesUsage,
}: {
  readonly model: string;
  readonly includesUsage: boolean;
}): AnswerFormat {
  const created = nowSeconds();
  let id = '';
  const chunk = (choices: readonly object[], fields: object = {}) =>
    toFrame({
      ...{ id, object: 'chat.completion.chunk', created, model, choices },
      ...(includesUsage && { usage: null }),
      ...fields,
    });
  const choice = (delta: object, finishReason: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finishReason },
  ];
  return {
    body: (answer) => ({
      ...{ id: idOf(answer), object: 'chat.completion', created, model },
      choices: [
        {
          index: 0,
          message: {
            ...{ role: 'assistant', content: answer.content, refusal: null },
            ...citationsOf(answer),
          },
          logprobs: null,
          finish_reason: finishReasonOf(answer),
        },
      ],
      usage: usageOf(answer),
      grounding: groundingOf(answer),
    }),
    stream: {
      start(ids) {
        id = idOf(ids);
        return chunk(choice({ role: 'assistant', content: '' }));
      },
      delta: (content) => chunk(choice({ content })),
      done(answer) {
        const last = choice(citationsOf(answer), finishReasonOf(answer));
        const usage = includesUsage ? chunk([], { usage: usageOf(answer) }) : '';
        return `${chunk(last, { grounding: groundingOf(answer) })}${usage}data: [DONE]\n\n`;
      },
      error: (error) => toFrame({ error: streamErrorFields(error) }),
    },
  };
}

function idOf({ messageId }: { readonly messageId: string }): string {
  return `chatcmpl-${messageId}`;
}

function citationsOf(answer: Answer): object {
  const annotations = annotationsOf(answer).map(
    ({ fileId, fileName, quote, link, start, end }) => ({
      type: 'file_citation',
      file_citation: {
        ...{ file_id: fileId, filename: fileName, quote, ...link },
        ...{ start_index: start, end_index: end },
      },
    }),
  );
  return { annotations, citations: answer.citations };
}

function finishReasonOf({ finishReason }: Answer): string {
  return finishReason === 'LENGTH' ? 'length' : 'stop';
}

function usageOf({ inputTokens, outputTokens }: Answer): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function toFrame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
