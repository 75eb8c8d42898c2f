import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AnswerRequest, ChatOptions } from '../../../src/models/models.ts';
import { openAiChatModel } from '../../../src/models/openai/openai-chat-model.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';

const history = [{ role: 'USER', content: 'How long is the warranty?' }] as const;
const request: AnswerRequest = { history, question: 'And?', instructions: null, sources: [] };
const all: ChatOptions = { temperature: 0, reasoningEffort: 'low', maxOutputTokens: 500 };

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(() => server.close());

function modelWith(chatOptions?: ChatOptions) {
  const { baseUrl } = server;
  return openAiChatModel({ baseUrl, apiKey: null, model: 'stand-in', chatOptions });
}

async function ask(model: ReturnType<typeof modelWith>): Promise<void> {
  for await (const part of model.answer(request, new AbortController().signal)) void part;
}

/** Returns the optional parameters of each request so far. */
function sent() {
  return server.requests.map(({ body: { model: _, messages: __, stream: ___, ...rest } }) => rest);
}

const usage = { stream_options: { include_usage: true } };

function rejection(status: number, message: string, param: string | null = null) {
  return { status, body: JSON.stringify({ error: { message, param, code: null } }) };
}

it('sends no parameter that is not set', async () => {
  await ask(modelWith());
  expect(sent()).toEqual([usage]);
});

it('sends the parameters that are set, and no output limit for a rewrite', async () => {
  const model = modelWith(all);
  await ask(model);
  server.script({ deltas: ['How long is it?'] });
  await model.rewriteQuestion(request, new AbortController().signal);
  const common = { temperature: 0, reasoning_effort: 'low' };
  expect(sent()).toEqual([{ ...usage, ...common, max_tokens: 500 }, common]);
});

it('leaves out a value that the server does not support, and only this value', async () => {
  const limits = { contextLimits: { maxChunks: 1, maxTokens: 200, maxSectionTokens: 0 } };
  const installed = modelWith({ ...all, temperature: null, maxOutputTokens: null });
  const extreme = installed.configure?.({
    ...limits,
    options: { temperature: null, reasoningEffort: 'extreme', maxOutputTokens: null },
  });
  if (extreme === undefined) throw new Error('not configurable');
  const message = "Unsupported value: 'reasoning_effort' does not support 'extreme'.";
  server.script(rejection(400, message, 'reasoning_effort'));
  await ask(extreme);
  await ask(extreme);
  await ask(installed);
  expect(sent()).toEqual([
    { ...usage, reasoning_effort: 'extreme' },
    usage,
    usage,
    { ...usage, reasoning_effort: 'low' },
  ]);
});

it('sends the newer name of the output limit if the older one is rejected, and remembers it', async () => {
  const model = modelWith({ ...all, temperature: null, reasoningEffort: null });
  const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  server.script(rejection(400, message, 'max_tokens'));
  await ask(model);
  await ask(model);
  const newer = { ...usage, max_completion_tokens: 500 };
  expect(sent()).toEqual([{ ...usage, max_tokens: 500 }, newer, newer]);
});

it('leaves out each rejected parameter', async () => {
  const model = modelWith(all);
  server.script(
    rejection(400, "Unsupported value: 'temperature' does not support 0 with this model."),
    rejection(422, 'reasoning_effort: Extra inputs are not permitted'),
    rejection(422, 'max_tokens: Extra inputs are not permitted'),
    rejection(422, 'max_completion_tokens: Extra inputs are not permitted'),
    rejection(400, 'Unknown field: stream_options'),
  );
  await ask(model);
  await ask(model);
  expect(sent().slice(5)).toEqual([{}, {}]);
});

it('does not repeat a request that was rejected for another reason', async () => {
  server.script(rejection(400, 'The temperature of this server is too high'));
  await expect(ask(modelWith(all))).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  expect(sent()).toHaveLength(1);
});
