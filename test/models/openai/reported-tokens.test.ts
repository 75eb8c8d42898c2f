import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerRequest, TokenUsage } from '../../../src/models/models.ts';
import { openAiChatModel } from '../../../src/models/openai/openai-chat-model.ts';
import { openAiEmbeddingModel } from '../../../src/models/openai/openai-embedding-model.ts';
import { captureLog } from '../../support/captured-log.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server?.close());

const { signal } = new AbortController();
const request: AnswerRequest = {
  history: [],
  question: 'How long is the warranty?',
  instructions: null,
  sources: [{ documentName: 'terms.md', context: 'Warranty', content: 'It lasts two years.' }],
};

/** Model names are logged once per process, so each test has one of its own. */
let models = 0;
function endpoint(log = captureLog()) {
  models += 1;
  const model = `lying-${models}`;
  return { log, server: { baseUrl: server.baseUrl, apiKey: null, model, log: log.log } };
}

const wrongCounts = [-1, 1.5, 1e300, 10_000_001, Number.MAX_SAFE_INTEGER, '57', true, {}];

async function streamedUsage(
  chat: ReturnType<typeof openAiChatModel>,
  usage: boolean | Record<string, unknown>,
): Promise<TokenUsage | undefined> {
  server.script({ deltas: ['Two years [1].'], usage });
  let last: TokenUsage | undefined;
  for await (const part of chat.answer(request, signal)) {
    if (part.type === 'usage') last = part.usage;
  }
  return last;
}

async function completedUsage(
  chat: ReturnType<typeof openAiChatModel>,
  usage: boolean | Record<string, unknown>,
): Promise<TokenUsage | undefined> {
  server.script({ deltas: ['Two years.'], usage });
  return (await chat.complete?.([{ role: 'user', content: 'How long?' }], signal))?.usage;
}

describe.each([
  ['a streamed answer', streamedUsage],
  ['a completion', completedUsage],
] as const)('the usage of %s', (_, ask) => {
  test.each(wrongCounts)('is estimated if the server reports %j tokens', async (count) => {
    const { server: one, log } = endpoint();
    const chat = openAiChatModel(one);
    const estimated = await ask(chat, false);
    for (const usage of [
      { prompt_tokens: count, completion_tokens: 7_000 },
      { prompt_tokens: 7_000, completion_tokens: count },
    ]) {
      const { inputTokens, outputTokens } = (await ask(chat, usage)) ?? {};
      expect(outputTokens).toBe(estimated?.outputTokens);
      // The prompt contains random marks, so its estimate varies a little.
      expect(Math.abs(Number(inputTokens) - Number(estimated?.inputTokens))).toBeLessThan(50);
    }
    expect(log.lines()).toMatchObject([{ level: 'warn', model: one.model }]);
  });

  test('is that of the server if it reports whole numbers from 0 to 10,000,000', async () => {
    const { server: one, log } = endpoint();
    const usage = await ask(openAiChatModel(one), {
      ...{ prompt_tokens: 0, completion_tokens: 10_000_000 },
    });
    expect(usage).toEqual({ inputTokens: 0, outputTokens: 10_000_000 });
    expect(log.lines()).toEqual([]);
  });
});

describe('the tokens of embeddings', () => {
  test.each(wrongCounts)('are estimated if the server reports %j tokens', async (count) => {
    const { server: one, log } = endpoint();
    const model = openAiEmbeddingModel(one);
    const tokensOf = async (usage: Record<string, unknown>) => {
      server.script({ usage });
      return (await model.embed(['blue sky'])).tokens;
    };
    const estimated = await tokensOf({});
    expect(estimated).toBeGreaterThan(0);
    expect(await tokensOf({ prompt_tokens: count })).toBe(estimated);
    expect(await tokensOf({ prompt_tokens: count })).toBe(estimated);
    expect(log.lines()).toMatchObject([{ level: 'warn', model: one.model }]);
  });
});

test('a model with other settings has the name that is logged', async () => {
  const { server: one, log } = endpoint();
  const chat = openAiChatModel(one);
  const { options } = chat;
  if (options === undefined) throw new Error('The model has no options');
  const other = chat.configure?.({
    ...{
      model: `${one.model}-large`,
      options,
      contextLimits: { maxChunks: 4, maxTokens: 2_000, maxSectionTokens: 0 },
    },
  });
  if (other === undefined) throw new Error('The model has no settings');
  for (const _ of [1, 2]) await streamedUsage(other, { prompt_tokens: -1, completion_tokens: 1 });
  expect(log.lines()).toMatchObject([{ model: `${one.model}-large` }]);
});
