import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerPart, AnswerRequest, ChatModel } from '../../../src/models/models.ts';
import { openAiChatModel } from '../../../src/models/openai/openai-chat-model.ts';
import type { OpenAiLimits } from '../../../src/models/openai/openai-limits.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';

const request: AnswerRequest = {
  history: [],
  question: 'How long is the warranty?',
  instructions: null,
  sources: [{ documentName: 'terms.md', context: 'Warranty', content: 'It lasts two years.' }],
};

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(() => server.close());

function model(limits: Partial<OpenAiLimits> = {}, apiKey: string | null = 'sk-secret'): ChatModel {
  const { baseUrl } = server;
  return openAiChatModel({
    baseUrl,
    apiKey,
    model: 'stand-in',
    limits: { initialRetryDelayMs: 1, ...limits },
  });
}

async function collect(parts: AsyncIterable<AnswerPart>) {
  const texts: string[] = [];
  let usage: AnswerPart | null = null;
  for await (const part of parts) {
    if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'usage') usage = part;
  }
  return { texts, text: texts.join(''), usage };
}

function ask(limits: Partial<OpenAiLimits> = {}, signal = new AbortController().signal) {
  return collect(model(limits).answer(request, signal));
}

async function failureOf(promise: Promise<unknown>): Promise<DomainError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DomainError);
  if (!(error instanceof DomainError)) throw error;
  expect(error.code).toBe('MODEL_ERROR');
  return error;
}

describe('an answer', () => {
  it('arrives while the server sends it, followed by the usage', async () => {
    server.script({ deltas: ['Two ', 'years ', '[1].'], delayMs: 50 });
    const answer = await ask();
    expect(answer.text).toBe('Two years [1].');
    expect(answer.texts.length).toBeGreaterThan(1);
    expect(answer.usage).toMatchObject({ type: 'usage', usage: { outputTokens: 4 } });
  });

  it('is requested with key, model, sources, question and usage', async () => {
    await ask();
    const { path, headers, body } = await server.request(0);
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer sk-secret');
    expect(body).toMatchObject({
      model: 'stand-in',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(JSON.stringify(body.messages)).toContain('It lasts two years.');
    expect(JSON.stringify(body.messages)).toContain(request.question);
  });

  it('is requested without an Authorization header if there is no key', async () => {
    await collect(model({}, null).answer(request, new AbortController().signal));
    expect((await server.request(0)).headers.authorization).toBeUndefined();
  });

  it('keeps multi-byte characters intact if their bytes arrive one by one', async () => {
    const text = 'Grüße, 保証は二年です 👩‍👧 [1].';
    server.script({ deltas: [text], pieceBytes: 1 });
    expect((await ask()).text).toBe(text);
  });

  it('ends normally if the model reached its length limit', async () => {
    server.script({ deltas: ['Two years'], finishReason: 'length' });
    expect((await ask()).text).toBe('Two years');
  });

  it('ends normally without [DONE], and missing usage is estimated', async () => {
    server.script({ deltas: ['Two years.'], end: 'silent', usage: false });
    const answer = await ask();
    expect(answer.text).toBe('Two years.');
    expect(answer.usage).toMatchObject({ usage: { outputTokens: 3 } });
  });

  it('ends normally if the connection stays open or breaks after the finish reason', async () => {
    server.script({ deltas: ['Two years.'], end: 'cut' });
    expect((await ask()).text).toBe('Two years.');
    server.script({ deltas: ['Two years.'], end: 'stall' });
    expect((await ask()).text).toBe('Two years.');
  });

  it('forwards the text of a refusal', async () => {
    server.script({ deltas: [], refusal: 'I cannot help with that.' });
    expect((await ask()).text).toBe('I cannot help with that.');
  });

  it('omits the reasoning of a reasoning model, also across parts', async () => {
    server.script({ deltas: ['<th', 'ink>Hm, <b>', '</thi', 'nk>\n', '\nTwo years.'] });
    expect((await ask()).texts).toEqual(['Two years.']);
  });

  it('keeps text that only starts like a reasoning block', async () => {
    server.script({ deltas: ['<thi'] }, { deltas: ['a <think> b'] });
    expect((await ask()).text).toBe('<thi');
    expect((await ask()).text).toBe('a <think> b');
  });

  it('is requested again without stream_options if the server rejects them', async () => {
    const body = JSON.stringify({ detail: [{ loc: ['body', 'stream_options'], type: 'extra' }] });
    server.script({ status: 422, body }, { deltas: ['Two years.'] });
    expect((await ask()).text).toBe('Two years.');
    expect((await server.request(1)).body).not.toHaveProperty('stream_options');
  });
});

describe('a broken answer is a failure, never a normal end', () => {
  it.each([
    ['the stream ends without a finish reason', { finishReason: null }],
    ['the stream ends without finish reason and [DONE]', { finishReason: null, end: 'silent' }],
    ['the connection breaks', { finishReason: null, end: 'cut' }],
    ['the stream stalls', { finishReason: null, end: 'stall' }],
    ['the server sends an error event', { rawEvents: ['data: {"error":{"message":"boom"}}\n\n'] }],
    ['the server sends malformed JSON', { rawEvents: ['data: {"choices": [\n\n'] }],
    ['the server sends another shape', { rawEvents: ['data: {"choices": 7}\n\n'] }],
    ['the content filter stops it', { finishReason: 'content_filter' }],
    ['the model wants to call a tool', { finishReason: 'tool_calls' }],
  ] as const)('if %s', async (_, reply) => {
    server.script({ deltas: ['Two ', 'years'], ...reply });
    const parts: AnswerPart[] = [];
    const reading = (async () => {
      const stream = model({ answerTimeoutMs: 400 }).answer(request, new AbortController().signal);
      for await (const part of stream) parts.push(part);
    })();
    await failureOf(reading);
    expect(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' ')).toBe(
      'usage Two years usage',
    );
    expect(parts.at(-1)).toMatchObject({ usage: { outputTokens: 2 } });
  });

  it('if the server returns 200 with an HTML page', async () => {
    server.script({ headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' });
    await failureOf(ask());
  });

  it('if it is empty', async () => {
    server.script({ deltas: [' ', '\n'] });
    await failureOf(ask());
  });

  it('if no headers arrive in time', async () => {
    server.script({ after: new Promise(() => {}) });
    const failure = await failureOf(ask({ answerTimeoutMs: 50 }));
    expect(failure).toMatchObject({ message: 'The model did not answer in time', retryable: true });
  });

  it('if it exceeds the total timeout, even while the stream is active', async () => {
    const deltas = Array.from({ length: 400 }, () => 'and ');
    server.script({ deltas, delayMs: 5, finishReason: null });
    await failureOf(ask({ answerTimeoutMs: 200 }));
  });

  it('if it exceeds the maximum length', async () => {
    server.script({ deltas: ['x'.repeat(90), 'x'.repeat(90)] });
    await failureOf(ask({ maxAnswerLength: 100 }));
  });

  it('if the server sends endless bytes', async () => {
    server.script({ rawEvents: [`: ${'x'.repeat(50_000)}\n\n`] });
    await failureOf(ask({ maxResponseBytes: 20_000 }));
  });

  it('if the server redirects', async () => {
    server.script({ status: 307, headers: { location: 'http://127.0.0.1:9/v1' } });
    await failureOf(ask());
    expect(server.requests).toHaveLength(1);
  });

  it('if the connection is refused', async () => {
    await server.close();
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
  });
});

describe('a caller that disconnects', () => {
  it('closes the connection and receives an error', async () => {
    server.script({ deltas: ['Two '], finishReason: null, end: 'stall' });
    const controller = new AbortController();
    const stream = model().answer(request, controller.signal);
    expect(await stream.next()).toMatchObject({ value: { isProvisional: true } });
    expect(await stream.next()).toMatchObject({ value: { text: 'Two ' } });
    const usage = stream.next();
    controller.abort(new Error('gone'));
    expect(await usage).toMatchObject({ value: { usage: { outputTokens: 1 } } });
    expect((await failureOf(stream.next())).cause).toBe(controller.signal.reason);
    await (await server.request(0)).closed;
  });

  it('closes the connection by returning the stream', async () => {
    server.script({ deltas: ['Two '], finishReason: null, end: 'stall' });
    const stream = model().answer(request, new AbortController().signal);
    await stream.next();
    await stream.return(undefined);
    await (await server.request(0)).closed;
  });

  // The time limit is much shorter than the delay before the next retry.
  it('does not wait for the next retry', { timeout: 10_000 }, async () => {
    server.script({ status: 429, headers: { 'retry-after': '15' } });
    const controller = new AbortController();
    const asked = failureOf(ask({}, controller.signal));
    await (await server.request(0)).written;
    controller.abort();
    await asked;
    expect(server.requests).toHaveLength(1);
  });

  it('causes no request if it disconnected before the call', async () => {
    await failureOf(ask({}, AbortSignal.abort()));
    expect(server.requests).toHaveLength(0);
  });
});

describe('an overloaded or failing server', () => {
  it('is retried after 429 and 500, at most three times', async () => {
    server.script({ status: 429, headers: { 'retry-after': '0' } }, { status: 500 });
    expect((await ask()).text).toContain('[1].');
    expect(server.requests).toHaveLength(3);
    server.script({ status: 503 }, { status: 503 }, { status: 503 });
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
    expect(server.requests).toHaveLength(6);
  });

  it('is retried after the delay in Retry-After', async () => {
    server.script({ status: 429, headers: { 'retry-after': '0.3' } });
    const startedAt = performance.now();
    await ask();
    expect(performance.now() - startedAt).toBeGreaterThan(295);
  });

  it('is not retried if Retry-After exceeds the limit', async () => {
    server.script({ status: 429, headers: { 'retry-after': '21' } });
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 404])('is not retried after %i', async (status) => {
    server.script({ status });
    expect(await failureOf(ask())).toMatchObject({ retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('is not retried if the account has no quota', async () => {
    server.script({ status: 429, body: '{"error":{"code":"insufficient_quota"}}' });
    expect(await failureOf(ask())).toMatchObject({ retryable: false });
  });

  it('causes messages without key, URL or response text', async () => {
    const body = `{"error":{"message":"Incorrect key sk-secret at ${server.baseUrl}, boom"}}`;
    for (const status of [400, 401, 404, 429, 500]) {
      server.script({ status, body }, { status, body }, { status, body });
      const failure = await failureOf(ask());
      expect(failure.message).not.toMatch(/sk-secret|127\.0\.0\.1|boom/);
      expect(failure.cause).toBeInstanceOf(Error);
    }
  });
});

describe('rewriting a question', () => {
  const followUp = {
    history: [
      { role: 'USER', content: 'How long is the warranty of the X200?' },
      { role: 'ASSISTANT', content: 'Two years [1].' },
    ],
    question: 'And of the X300?',
  } as const;

  it('returns the line written by the model, without label and quotes, and its usage', async () => {
    server.script({ deltas: ['<think>hm</think>\nQuestion: "How long is the X300 warranty?"'] });
    const rewritten = await model().rewriteQuestion(followUp, new AbortController().signal);
    expect(rewritten.query).toBe('How long is the X300 warranty?');
    expect(rewritten.usage.outputTokens).toBeGreaterThan(0);
    expect(JSON.stringify((await server.request(0)).body.messages)).toContain('X200');
  });

  it('makes no request without history', async () => {
    const alone = { history: [], question: 'And of the X300?' };
    const rewritten = await model().rewriteQuestion(alone, new AbortController().signal);
    expect(rewritten).toEqual({
      query: 'And of the X300?',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect(server.requests).toHaveLength(0);
  });

  it('fails if the model returns nothing, a long text or an HTML page', async () => {
    server.script({ deltas: [''] }, { deltas: ['x'.repeat(2_000)] }, { body: '<html></html>' });
    for (let call = 0; call < 3; call += 1) {
      await failureOf(model().rewriteQuestion(followUp, new AbortController().signal));
    }
  });

  it('fails on a timeout, also of a translation', async () => {
    server.script({ after: new Promise(() => {}) }, { after: new Promise(() => {}) });
    const slow = model({ rewriteTimeoutMs: 50, translationTimeoutMs: 50 });
    await failureOf(slow.rewriteQuestion(followUp, new AbortController().signal));
    const translation = { history: [], question: 'Und der X300?', language: 'en' } as const;
    await failureOf(slow.rewriteQuestion(translation, new AbortController().signal));
  });
});
