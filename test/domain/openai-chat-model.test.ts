import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import type { AnswerPart, AnswerRequest, ChatModel } from '../../src/domain/models/models.ts';
import { openAiChatModel } from '../../src/domain/models/openai-chat-model.ts';
import type { OpenAiLimits } from '../../src/domain/models/openai-limits.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts';

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
    limits: { firstWaitMs: 1, ...limits },
  });
}

async function collect(parts: AsyncIterable<AnswerPart>) {
  const texts: string[] = [];
  let usage: AnswerPart | null = null;
  for await (const part of parts) {
    if (part.type === 'text') texts.push(part.text);
    else usage = part;
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
  it('comes in the pieces the server sends, with the usage it counted last', async () => {
    server.script({ deltas: ['Two ', 'years ', '[1].'] });
    const answer = await ask();
    expect(answer.texts).toEqual(['Two ', 'years ', '[1].']);
    expect(answer.usage).toMatchObject({ type: 'usage', usage: { outputTokens: 4 } });
  });

  it('is asked for with key, model, sources, question and usage', async () => {
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

  it('is asked for without an Authorization header where there is no key', async () => {
    await collect(model({}, null).answer(request, new AbortController().signal));
    expect((await server.request(0)).headers.authorization).toBeUndefined();
  });

  it('keeps characters whole whose bytes arrive one by one', async () => {
    const text = 'Grüße, 保証は二年です 👩‍👧 [1].';
    server.script({ deltas: [text], pieceBytes: 1 });
    expect((await ask()).text).toBe(text);
  });

  it('ends normally when the model reached its length limit', async () => {
    server.script({ deltas: ['Two years'], finishReason: 'length' });
    expect((await ask()).text).toBe('Two years');
  });

  it('ends normally without [DONE] and estimates usage the server does not count', async () => {
    server.script({ deltas: ['Two years.'], end: 'silent', usage: false });
    const answer = await ask();
    expect(answer.text).toBe('Two years.');
    expect(answer.usage).toMatchObject({ usage: { outputTokens: 3 } });
  });

  it('ends normally when the connection stays open or breaks after the finish reason', async () => {
    server.script({ deltas: ['Two years.'], end: 'cut' });
    expect((await ask()).text).toBe('Two years.');
    server.script({ deltas: ['Two years.'], end: 'stall' });
    expect((await ask()).text).toBe('Two years.');
  });

  it('passes on the words of a refusal', async () => {
    server.script({ deltas: [], refusal: 'I cannot help with that.' });
    expect((await ask()).text).toBe('I cannot help with that.');
  });

  it('leaves out the thoughts of a reasoning model, also across pieces', async () => {
    server.script({ deltas: ['<th', 'ink>Hm, <b>', '</thi', 'nk>\n', '\nTwo years.'] });
    expect((await ask()).texts).toEqual(['Two years.']);
  });

  it('keeps what only begins like a thought', async () => {
    server.script({ deltas: ['<thi'] }, { deltas: ['a <think> b'] });
    expect((await ask()).text).toBe('<thi');
    expect((await ask()).text).toBe('a <think> b');
  });

  it('is asked for again without stream_options where the server refuses them', async () => {
    const body = JSON.stringify({ detail: [{ loc: ['body', 'stream_options'], type: 'extra' }] });
    server.script({ status: 422, body }, { deltas: ['Two years.'] });
    expect((await ask()).text).toBe('Two years.');
    expect((await server.request(1)).body).not.toHaveProperty('stream_options');
  });
});

describe('a broken answer is a failure, never an end', () => {
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
  ] as const)('when %s', async (_, reply) => {
    server.script({ deltas: ['Two ', 'years'], ...reply });
    const parts: AnswerPart[] = [];
    const reading = (async () => {
      const stream = model({ idleMs: 200 }).answer(request, new AbortController().signal);
      for await (const part of stream) parts.push(part);
    })();
    await failureOf(reading);
    expect(parts.slice(0, 2)).toEqual([
      { type: 'text', text: 'Two ' },
      { type: 'text', text: 'years' },
    ]);
  });

  it('when the server answers 200 with an HTML page', async () => {
    server.script({ headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' });
    await failureOf(ask());
  });

  it('when it is empty', async () => {
    server.script({ deltas: [' ', '\n'] });
    await failureOf(ask());
  });

  it('when the headers do not come in time', async () => {
    server.script({ after: new Promise(() => {}) });
    const failure = await failureOf(ask({ connectMs: 50 }));
    expect(failure).toMatchObject({ message: 'The model did not answer in time', retryable: true });
  });

  it('when it takes longer than an answer may, however lively the stream', async () => {
    const deltas = Array.from({ length: 400 }, () => 'and ');
    server.script({ deltas, delayMs: 5, finishReason: null });
    await failureOf(ask({ answerMs: 200, idleMs: 10_000 }));
  });

  it('when it is longer than an answer may be', async () => {
    server.script({ deltas: ['x'.repeat(90), 'x'.repeat(90)] });
    await failureOf(ask({ maxAnswerLength: 100 }));
  });

  it('when the server sends bytes without end', async () => {
    server.script({ rawEvents: [`: ${'x'.repeat(50_000)}\n\n`] });
    await failureOf(ask({ maxResponseBytes: 20_000 }));
  });

  it('when the server redirects to another place', async () => {
    server.script({ status: 307, headers: { location: 'http://127.0.0.1:9/v1' } });
    await failureOf(ask());
    expect(server.requests).toHaveLength(1);
  });

  it('when nothing listens at the address', async () => {
    await server.close();
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
  });
});

describe('a caller who leaves', () => {
  it('closes the connection within a second and gets a failure', async () => {
    server.script({ deltas: ['Two '], finishReason: null, end: 'stall' });
    const controller = new AbortController();
    const stream = model().answer(request, controller.signal);
    expect(await stream.next()).toMatchObject({ value: { text: 'Two ' } });
    const next = failureOf(stream.next());
    const startedAt = performance.now();
    controller.abort(new Error('gone'));
    expect((await next).cause).toBe(controller.signal.reason);
    await (await server.request(0)).closed;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('closes the connection by returning the stream', async () => {
    server.script({ deltas: ['Two '], finishReason: null, end: 'stall' });
    const stream = model().answer(request, new AbortController().signal);
    await stream.next();
    await stream.return(undefined);
    await (await server.request(0)).closed;
  });

  it('does not wait for the next try', async () => {
    server.script({ status: 429, headers: { 'retry-after': '15' } });
    const controller = new AbortController();
    const asked = failureOf(ask({}, controller.signal));
    await (await server.request(0)).written;
    const startedAt = performance.now();
    controller.abort();
    await asked;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(server.requests).toHaveLength(1);
  });

  it('sends nothing when gone before the call', async () => {
    await failureOf(ask({}, AbortSignal.abort()));
    expect(server.requests).toHaveLength(0);
  });
});

describe('a busy or failing server', () => {
  it('is asked again after 429 and 500, at most three times', async () => {
    server.script({ status: 429, headers: { 'retry-after': '0' } }, { status: 500 });
    expect((await ask()).text).toContain('[1].');
    expect(server.requests).toHaveLength(3);
    server.script({ status: 503 }, { status: 503 }, { status: 503 });
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
    expect(server.requests).toHaveLength(6);
  });

  it('is waited for as long as Retry-After says', async () => {
    server.script({ status: 429, headers: { 'retry-after': '0.3' } });
    const startedAt = performance.now();
    await ask();
    expect(performance.now() - startedAt).toBeGreaterThan(295);
  });

  it('is not waited for when it asks for longer than the limit', async () => {
    server.script({ status: 429, headers: { 'retry-after': '21' } });
    expect(await failureOf(ask())).toMatchObject({ retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 404])('is not asked again after %i', async (status) => {
    server.script({ status });
    expect(await failureOf(ask())).toMatchObject({ retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('is not asked again when the account has no quota', async () => {
    server.script({ status: 429, body: '{"error":{"code":"insufficient_quota"}}' });
    expect(await failureOf(ask())).toMatchObject({ retryable: false });
  });

  it('never leaves key, address or its own words in the message', async () => {
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

  it('gives the line the model wrote, without label and quotes, and its usage', async () => {
    server.script({ deltas: ['<think>hm</think>\nQuestion: "How long is the X300 warranty?"'] });
    const rewritten = await model().rewriteQuestion(followUp, new AbortController().signal);
    expect(rewritten.query).toBe('How long is the X300 warranty?');
    expect(rewritten.usage.outputTokens).toBeGreaterThan(0);
    expect(JSON.stringify((await server.request(0)).body.messages)).toContain('X200');
  });

  it('asks nobody where there is no history', async () => {
    const alone = { history: [], question: 'And of the X300?' };
    const rewritten = await model().rewriteQuestion(alone, new AbortController().signal);
    expect(rewritten).toEqual({
      query: 'And of the X300?',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect(server.requests).toHaveLength(0);
  });

  it('fails when the model writes nothing, an essay or a page', async () => {
    server.script({ deltas: [''] }, { deltas: ['x'.repeat(2_000)] }, { body: '<html></html>' });
    for (let call = 0; call < 3; call += 1) {
      await failureOf(model().rewriteQuestion(followUp, new AbortController().signal));
    }
  });

  it('fails when it takes too long', async () => {
    server.script({ after: new Promise(() => {}) });
    const slow = model({ rewriteMs: 50 });
    await failureOf(slow.rewriteQuestion(followUp, new AbortController().signal));
  });
});
