import {
  type Answer,
  type AnswerFormat,
  annotationsOf,
  groundingOf,
  nowSeconds,
} from './answer-format.ts';
import { streamErrorFields } from './openai-error.ts';
import { repeatRequest } from './response-fields.ts';
import type { ResponseRequest } from './response-request.ts';

interface Ids {
  readonly conversationId: string;
  readonly messageId: string;
}

/** The format of OpenAI's Responses. A response id contains the ids of the conversation and of the message. */
export function responseFormat(request: ResponseRequest): AnswerFormat {
  const repeated = repeatRequest(request);
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
    ...repeated,
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
