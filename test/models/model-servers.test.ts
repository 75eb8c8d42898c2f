import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerPart, AnswerRequest } from '../../src/models/models.ts';
import { openAiChatModel } from '../../src/models/openai/openai-chat-model.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

const request: AnswerRequest = {
  history: [
    { role: 'USER', content: 'Hello from long ago' },
    { role: 'ASSISTANT', content: 'Hello' },
  ],
  question: 'How long is the warranty?',
  instructions: null,
  sources: ['It lasts two years.', 'Batteries: one year.', 'Returns: 30 days.'].map((content) => ({
    documentName: 'terms.md',
    context: '',
    content,
  })),
};

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(() => server.close());

async function collect(given = request): Promise<AnswerPart[]> {
  const { baseUrl } = server;
  const limits = { initialRetryDelayMs: 1 };
  const model = openAiChatModel({ baseUrl, apiKey: null, model: 'stand-in', limits });
  const parts: AnswerPart[] = [];
  for await (const part of model.answer(given, new AbortController().signal)) {
    if (part.type !== 'usage' || !part.isProvisional) parts.push(part);
  }
  return parts;
}

const textOf = (parts: readonly AnswerPart[]) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

const eventStream = { 'content-type': 'text/event-stream' };

describe('a stream in the shape that the documentation of the server shows', () => {
  const folder = new URL('../fixtures/model-servers/', import.meta.url);
  it.each(readdirSync(folder).map((file) => basename(file, '.sse')))(
    'is read: %s',
    async (name) => {
      const body = readFileSync(new URL(`${name}.sse`, folder), 'utf8');
      server.script({ headers: eventStream, body });
      const parts = await collect();
      expect(textOf(parts)).toBe('The warranty lasts two years [1].');
      expect(parts.slice(-2)).toEqual([
        { type: 'finish', reason: 'STOP' },
        { type: 'usage', usage: { inputTokens: 57, outputTokens: 9 } },
      ]);
    },
  );
});

describe('a prompt that is too long for the model', () => {
  const error = (message: string, rest: object = {}) =>
    JSON.stringify({ error: { message, ...rest } });
  const event = (message: string) => `event: error\ndata: ${error(message)}\n\n`;

  it.each([
    [
      'OpenAI',
      400,
      error("This model's maximum context length is 8192 tokens.", {
        code: 'context_length_exceeded',
      }),
    ],
    [
      'vLLM',
      400,
      JSON.stringify({
        object: 'error',
        message:
          "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens",
        type: 'BadRequestError',
        code: 400,
      }),
    ],
    [
      'vLLM from 0.16',
      400,
      error(
        "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens",
      ),
    ],
    [
      'llama.cpp and Ollama',
      400,
      error('request (351 tokens) exceeds the available context size (256 tokens)', {
        type: 'exceed_context_size_error',
      }),
    ],
    ['Anthropic', 400, error('prompt is too long: 208310 tokens > 200000 maximum')],
    ['Gemini', 400, error('The input token count (1200000) exceeds the maximum number of tokens')],
    ['LM Studio', 200, event('Trying to keep the first 111490 tokens when context the overflows.')],
  ])('is sent once more with half of sources and history: %s', async (_, status, body) => {
    server.script({ status, body, headers: status === 200 ? eventStream : {} }, { deltas: ['Ok'] });
    expect(textOf(await collect())).toBe('Ok');
    expect(server.requests).toHaveLength(2);
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(first).toMatch(/Returns: 30 days.*|Hello from long ago/);
    expect(second).toContain('Batteries: one year.');
    expect(second).not.toMatch(/Returns: 30 days|Hello from long ago/);
  });

  it('fails with a clear message if half is too long, too, or the only source', async () => {
    const overflow = { status: 400, body: error('x', { code: 'context_length_exceeded' }) };
    server.script(overflow, overflow);
    const failure = { message: 'The question and its sources are too long for the model' };
    await expect(collect()).rejects.toMatchObject({ code: 'MODEL_ERROR', ...failure });
    expect(server.requests).toHaveLength(2);
  });
});

describe('the end of an answer', () => {
  it('reports that the model reached its output limit', async () => {
    server.script({ deltas: ['The warranty'], finishReason: 'length' });
    expect(await collect()).toContainEqual({ type: 'finish', reason: 'LENGTH' });
  });

  it('is a failure that names the limit if reasoning used it up', async () => {
    server.script({ deltas: ['<think>Hm'], finishReason: 'length' });
    await expect(collect()).rejects.toMatchObject({
      message: 'The model reached its output limit before it wrote an answer',
    });
  });

  it('is a refusal if the finish reason or the refusal field says so', async () => {
    server.script({ deltas: ['I cannot.'], finishReason: 'refusal' });
    expect(await collect()).toContainEqual({ type: 'refusal' });
    server.script({ deltas: [], refusal: 'I cannot.' });
    expect((await collect()).slice(0, 2)).toEqual([
      { type: 'refusal' },
      { type: 'text', text: 'I cannot.' },
    ]);
  });

  it('is a failure if the content filter rejects the question or stops the answer', async () => {
    server.script(
      { status: 400, body: '{"error":{"code":"content_filter","message":"x"}}' },
      { deltas: ['The'], finishReason: 'content_filter' },
    );
    const failure = { code: 'MODEL_ERROR', message: expect.stringContaining('content filter') };
    await expect(collect()).rejects.toMatchObject(failure);
    await expect(collect()).rejects.toMatchObject(failure);
  });
});

describe('reasoning', () => {
  it('longer than an answer may be is accepted, and a long answer is not', async () => {
    server.script({ deltas: [`<think>${'x'.repeat(40_000)}</think>`, 'Ok'] });
    expect(textOf(await collect())).toBe('Ok');
    server.script({ deltas: ['x'.repeat(40_000)] });
    await expect(collect()).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  });

  it('that was shown before its closing tag is a failure that can be retried', async () => {
    server.script({ deltas: ['Warranty question.', '</think>', 'Ok'] });
    await expect(collect()).rejects.toMatchObject({ code: 'MODEL_ERROR', retryable: true });
  });
});
