import OpenAI, {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { waitUntil } from '../support/wait-until.ts';

// Tests the interface for OpenAI's clients with OpenAI's own client.

let service: TestService;
let tenant: Tenant;
let client: OpenAI;

const question = 'When can the lighthouse be visited?';
const ask = [{ role: 'user', content: question }] as const;

const clientFor = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${service.url}/v1`, maxRetries: 0 });

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  client = clientFor(await tenant.key());
  const content =
    'The lighthouse can be visited from nine in the morning. Dogs stay outside. A ticket costs 4 €.';
  await addDocuments(service, tenant.projectId, { Visiting: content });
});

describe('chat completions', () => {
  test('an answer has citations, as annotations at their markers and in full', async () => {
    const completion = await client.chat.completions.create({
      model: 'grounded',
      messages: [{ role: 'system', content: 'Be brief.' }, ...ask],
      temperature: 0.2,
      max_tokens: 300,
      user: 'customer-1',
    });
    expect(completion).toMatchObject({ object: 'chat.completion', model: 'grounded' });
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe('stop');
    const content = choice?.message.content ?? '';
    const annotations = (choice?.message.annotations ?? []) as unknown as {
      readonly file_citation: Readonly<Record<string, string | number>>;
    }[];
    expect(content).toContain('nine');
    expect(annotations[0]).toMatchObject({
      type: 'file_citation',
      file_citation: { filename: 'Visiting', quote: expect.stringContaining('nine') },
    });
    expect(choice?.message).toMatchObject({
      citations: [{ documentName: 'Visiting', quote: expect.stringContaining('nine') }],
    });
    const { start_index, end_index } = annotations[0]?.file_citation ?? {};
    const marker = [...content].slice(Number(start_index), Number(end_index)).join('');
    expect(marker).toMatch(/^(\[1\])?$/);
    expect(completion.usage?.total_tokens).toBeGreaterThanOrEqual(0);
    const { grounding } = completion as unknown as { grounding: Record<string, unknown> };
    expect(grounding).toMatchObject({
      confidence: expect.any(Number),
      citations: [expect.objectContaining({ documentName: 'Visiting' })],
    });
    const conversation = await service.system.db.conversation.findUniqueOrThrow({
      where: { id: String(grounding.conversation_id) },
    });
    expect(conversation).toMatchObject({ projectId: tenant.projectId, endUserId: 'customer-1' });
  });

  test('a stream joins to the same text, and ends with the citations and the usage', async () => {
    const stream = await client.chat.completions.create({
      model: 'grounded',
      messages: [...ask],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toContain('nine');
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    });
    const last = chunks.at(-2);
    expect(last?.choices[0]).toMatchObject({
      finish_reason: 'stop',
      delta: {
        annotations: [{ type: 'file_citation' }],
        citations: [{ documentName: 'Visiting' }],
      },
    });
    expect(last).toMatchObject({ grounding: { citations: [{ documentName: 'Visiting' }] } });
  });

  test('earlier messages are the history of a follow-up', async () => {
    const completion = await client.chat.completions.create({
      model: tenant.projectId,
      messages: [
        { role: 'user', content: 'How much is a ticket for the lighthouse?' },
        { role: 'assistant', content: 'A ticket costs 4 €. [1]' },
        { role: 'user', content: 'And the dogs?' },
      ],
    });
    expect(completion.choices[0]?.message.content).toContain('Dogs stay outside');
  });

  test('a stored conversation continues', async () => {
    const first = await client.chat.completions.create({ model: 'grounded', messages: [...ask] });
    const { grounding } = first as unknown as { grounding: { conversation_id: string } };
    const conversation_id = grounding.conversation_id;
    const second = await client.chat.completions.create({
      model: 'grounded',
      messages: [{ role: 'user', content: 'And dogs?' }],
      metadata: { conversation_id },
    });
    expect(second).toMatchObject({ grounding: { conversation_id } });
    const where = { conversationId: conversation_id };
    expect(await service.system.db.message.count({ where })).toBe(4);
  });

  test('a client that leaves a stream stops the answer', async () => {
    const stream = await client.chat.completions.create({
      model: 'grounded',
      messages: [...ask],
      stream: true,
    });
    for await (const _chunk of stream) break;
    expect(stream.controller.signal.aborted).toBe(true);
    const controller = new AbortController();
    const pending = client.chat.completions.create(
      { model: 'grounded', messages: [...ask] },
      { signal: controller.signal },
    );
    controller.abort();
    await expect(pending).rejects.toThrow(APIUserAbortError);
    const generating = { projectId: tenant.projectId, status: 'GENERATING' } as const;
    await waitUntil(
      async () => (await service.system.db.message.count({ where: generating })) === 0,
    );
  });
});

describe('responses', () => {
  test('an answer has annotations, and the next one continues its conversation', async () => {
    const first = await client.responses.create({ model: 'grounded', input: question });
    expect(first.status).toBe('completed');
    expect(first.output_text).toContain('nine');
    expect(first.output[0]).toMatchObject({
      type: 'message',
      content: [{ annotations: [{ type: 'file_citation', filename: 'Visiting' }] }],
    });
    const second = await client.responses.create({
      model: 'grounded',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'And dogs?' }] }],
      previous_response_id: first.id,
    });
    expect(second.output_text).toContain('Dogs stay outside');
    const ids = [first, second].map(
      (response) =>
        (response as unknown as { grounding: { conversation_id: string } }).grounding
          .conversation_id,
    );
    expect(new Set(ids).size).toBe(1);
    const unknown = { model: 'grounded', input: question, previous_response_id: 'resp_1' };
    await expect(client.responses.create(unknown)).rejects.toThrow(NotFoundError);
  });

  const sent = {
    instructions: 'Be brief.',
    max_output_tokens: 300,
    metadata: { ticket: '4711', channel: 'web' },
    parallel_tool_calls: true,
    reasoning: { effort: 'low' },
    safety_identifier: 'hashed-user',
    store: false,
    temperature: 0.2,
    text: { format: { type: 'text' }, verbosity: 'low' },
    tool_choice: 'auto',
    top_p: 0.9,
    truncation: 'auto',
    user: 'customer-1',
  } as const;

  test('a response repeats what the request has set', async () => {
    const response = await client.responses.create({ model: 'grounded', input: question, ...sent });
    expect(response).toMatchObject({ ...sent, reasoning: { effort: 'low', summary: null } });
    const stream = client.responses.stream({ model: 'grounded', input: question, ...sent });
    for await (const event of stream) {
      if ('response' in event) expect(event.response).toMatchObject(sent);
    }
  });

  test('a response has the defaults of what the request has not set', async () => {
    const request = { model: 'grounded', input: question, temperature: null, instructions: null };
    expect(await client.responses.create(request)).toMatchObject({
      ...{ instructions: null, temperature: null, metadata: {}, user: null, store: true },
      ...{ text: { format: { type: 'text' } }, tools: [], truncation: 'disabled' },
    });
  });

  test("OpenAI's client assembles the stream", async () => {
    const stream = client.responses.stream({ model: 'grounded', input: question });
    const numbers: number[] = [];
    for await (const event of stream) numbers.push(event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const final = await stream.finalResponse();
    expect(final.output_text).toContain('nine');
    expect(final.usage?.total_tokens).toBeGreaterThanOrEqual(0);
  });
});

test('models are the projects of the key', async () => {
  const ids = async (apiKey: string) =>
    (await clientFor(apiKey).models.list()).data.map(({ id }) => id);
  expect(await ids(await tenant.key())).toEqual(['grounded', tenant.projectId]);
  expect(await ids(await tenant.key({ isOrgWide: true }))).toEqual([tenant.projectId]);
  const model = await client.models.retrieve(tenant.projectId);
  expect(model).toMatchObject({ id: tenant.projectId, object: 'model' });
  expect(model.created).toBeGreaterThan(1_700_000_000);
});

test('embeddings are unit vectors, as numbers and as base64', async () => {
  const input = ['The lighthouse opens at nine.', 'Dogs stay outside.'];
  const floats = await client.embeddings.create({
    model: 'grounded',
    input,
    encoding_format: 'float',
  });
  // OpenAI's client requests base64 and decodes the response.
  const decoded = await client.embeddings.create({ model: 'grounded', input });
  expect(decoded.data.map(({ embedding }) => embedding.length)).toEqual(
    floats.data.map(({ embedding }) => embedding.length),
  );
  decoded.data[0]?.embedding.forEach((value, index) => {
    expect(value).toBeCloseTo(floats.data[0]?.embedding[index] ?? Number.NaN, 5);
  });
  const length = Math.hypot(...(floats.data[0]?.embedding ?? []));
  expect(length).toBeCloseTo(1, 3);
  expect(floats.usage.prompt_tokens).toBeGreaterThan(0);
});

describe('refused requests', () => {
  const create = (
    body: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>,
    apiClient = client,
  ) => apiClient.chat.completions.create({ model: 'grounded', messages: [...ask], ...body });

  test.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools'],
    ['two answers', { n: 2 }, 'n'],
    ['a blank question', { messages: [{ role: 'user', content: ' ' }] }, 'messages[0].content'],
    [
      'a long question',
      { messages: [{ role: 'user', content: 'a'.repeat(4_001) }] },
      'messages[0].content',
    ],
    ['no question', { messages: [{ role: 'system', content: 'Be brief.' }] }, 'messages'],
    ['an unknown field', { temprature: 1 }, 'temprature'],
    [
      'an image',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'https://example.com' } }],
          },
        ],
      },
      'messages[0].content',
    ],
    ['NUL', { messages: [{ role: 'user', content: 'a\0' }] }, 'messages[0].content'],
  ])('%s', async (_name, body, param) => {
    const error = await create(body as object).catch((error) => error);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
  });

  test('names the field of the request, also where the body is that of embeddings', async () => {
    const bodies: [string, object, string][] = [
      ['chat/completions', { messages: ask }, "Missing required parameter: 'model'"],
      ['responses', { model: 'grounded' }, "Missing required parameter: 'input'"],
      [
        'chat/completions',
        { model: 'grounded', messages: 'When?' },
        "Invalid value for 'messages': expected array, received string",
      ],
      ['embeddings', { input: ['a', ' '] }, "Invalid value for 'input[1]': must not be blank"],
      [
        'embeddings',
        { input: 'a'.repeat(32_001) },
        "Invalid value for 'input[0]': must be at most 32000 characters",
      ],
    ];
    for (const [path, body, message] of bodies) {
      const request = path === 'embeddings' ? { model: 'grounded', ...body } : body;
      const error = await client.post(`/${path}`, { body: request }).catch((error) => error);
      const param = /'(.+?)'/.exec(message)?.[1];
      expect(error).toMatchObject({ status: 400, error: { message, param } });
    }
  });

  test('an unknown key, a missing scope, another project', async () => {
    await expect(create({}, clientFor('sk_unknown'))).rejects.toThrow(AuthenticationError);
    const reader = clientFor(await tenant.key({ scopes: ['KNOWLEDGE_READ'] }));
    await expect(create({}, reader)).rejects.toThrow(PermissionDeniedError);
    const other = await service.createTenant();
    const orgWide = clientFor(await tenant.key({ isOrgWide: true }));
    for (const [apiClient, model] of [
      [client, other.projectId],
      [orgWide, other.projectId],
      [orgWide, 'grounded'],
      [client, 'gpt-5'],
    ] as const) {
      const error = await create({ model }, apiClient).catch((error) => error);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ code: 'model_not_found' });
    }
    expect((await create({ model: tenant.projectId }, orgWide)).choices).toHaveLength(1);
  });

  test('an exhausted allowance is not repeated by the client', async () => {
    const { organizationId, key } = await service.createTenant();
    await service.system.db.organization.update({
      where: { id: organizationId },
      data: { monthlyMessages: 0 },
    });
    const counted = vi.fn(fetch);
    const baseURL = `${service.url}/v1`;
    const repeating = new OpenAI({ apiKey: await key(), baseURL, fetch: counted });
    const error = await create({}, repeating).catch((error) => error);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'insufficient_quota' });
    expect(error.headers.get('x-should-retry')).toBe('false');
    expect(counted).toHaveBeenCalledTimes(1);
  });

  test('no JSON, an unknown route', async () => {
    const headers = { Authorization: `Bearer ${await tenant.key()}` };
    const noJson = await fetch(`${service.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers, body: 'model=grounded' },
    });
    expect(noJson.status).toBe(400);
    expect(await noJson.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    const unknown = await fetch(`${service.url}/v1/images/generations`, { headers });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { message: expect.any(String) } });
  });
});
