import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { OpenAiConfig } from '../../src/config.ts';
import { hashEmbedding } from './hash-embedding.ts';

/**
 * A stand-in for a model server: the true OpenAI protocol over HTTP (`/v1/chat/completions` streamed and
 * whole, `/v1/embeddings`, `/v1/models`), and Cohere's `/v1/rerank`, without a model behind it. Embeddings are hashed
 * words, a document's relevance is the share of the query's words that it holds, answers are scripted or quote the
 * prompt.
 */
export interface OpenAiServer {
  /** Such as `http://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
  /** How a service is set up whose answers come from here, and its embeddings from the built-in model. */
  readonly asChatModel: OpenAiConfig;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How the next requests are answered, one each; then the default answers come back. */
  script(...replies: readonly Reply[]): void;
  /** Resolves with the request number `index` (from 0) as soon as it has been read. */
  request(index: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  /** Resolves when everything this reply writes has been written, or the client is gone. */
  readonly written: Promise<void>;
  /** Resolves when the connection of this request is closed, by either side. */
  readonly closed: Promise<void>;
}

export interface Reply {
  /** A fixed reply instead of a completion: an HTML page, a 429, a 500, malformed JSON. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Nothing is sent before this resolves. */
  readonly after?: Promise<unknown>;
  /** The pieces of the answer. */
  readonly deltas?: readonly string[];
  /** Events written as they are, after the deltas: an error event, malformed JSON, a comment. */
  readonly rawEvents?: readonly string[];
  /** Milliseconds before each piece of the body. */
  readonly delayMs?: number;
  /** The body is written in pieces of so many bytes, each on its own: splits characters. */
  readonly pieceBytes?: number;
  /** Null leaves it out. Default `stop`. */
  readonly finishReason?: string | null;
  /** Default true, when the client asks for it. */
  readonly usage?: boolean;
  readonly refusal?: string;
  /** How the stream ends: with `[DONE]`, without it, with a broken connection, or never. */
  readonly end?: 'done' | 'silent' | 'cut' | 'stall';
}

export interface OpenAiServerOptions {
  readonly port?: number;
  /** Requests with another key get 401, as at OpenAI with the key in the message. */
  readonly apiKey?: string;
}

export async function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const requests: RecordedRequest[] = [];
  const waiting: { index: number; resolve: (request: RecordedRequest) => void }[] = [];
  let replies: readonly Reply[] = [];
  const server = createServer(async (request, response) => {
    // A kept connection serves many requests.
    request.socket.setMaxListeners(0);
    const closed = new Promise<void>((resolve) => request.socket.once('close', () => resolve()));
    const body = await readBody(request);
    const [reply = {}, ...rest] = replies;
    replies = rest;
    const written = answerRequest(request, response, body, reply, options);
    const recorded = { path: request.url ?? '', headers: request.headers, body, written, closed };
    requests.push(recorded);
    for (const { resolve } of waiting.filter(({ index }) => index === requests.length - 1)) {
      resolve(recorded);
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${portOf(server.address())}/v1`;
  return {
    baseUrl,
    asChatModel: { baseUrl, apiKey: null, chatModel: 'stand-in', embeddingModel: null },
    requests,
    script: (...next) => {
      replies = [...replies, ...next];
    },
    request: async (index) =>
      requests[index] ?? new Promise((resolve) => waiting.push({ index, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') {
    throw new Error('The stand-in server does not listen on a port');
  }
  return address.port;
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: Record<string, unknown>,
  reply: Reply,
  options: OpenAiServerOptions,
): Promise<void> {
  await reply.after;
  if (reply.body !== undefined || (reply.status ?? 200) !== 200) {
    const headers = { 'content-type': 'application/json', ...reply.headers };
    response.writeHead(reply.status ?? 200, headers).end(reply.body ?? '{}');
  } else if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`) {
    const message = `Incorrect API key provided: ${request.headers.authorization}.`;
    sendJson(response, 401, { error: { message, code: 'invalid_api_key' } });
  } else if (request.url === '/v1/models') {
    sendJson(response, 200, { object: 'list', data: [{ id: 'stand-in', object: 'model' }] });
  } else if (request.url === '/v1/embeddings') {
    sendJson(response, 200, embeddings(body));
  } else if (request.url === '/v1/rerank') {
    sendJson(response, 200, rerank(body));
  } else if (request.url === '/v1/chat/completions' && body.stream === true) {
    await streamCompletion(response, body, reply);
  } else if (request.url === '/v1/chat/completions') {
    sendJson(response, 200, completion(body, reply));
  } else {
    sendJson(response, 404, { error: { message: `Unknown request URL: ${request.url}` } });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function embeddings(body: Record<string, unknown>) {
  const texts = [body.input].flat().map(String);
  const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  return {
    object: 'list',
    model: body.model,
    data: texts.map((text, index) => {
      const vector = hashEmbedding(text);
      const base64 = Buffer.from(vector.buffer).toString('base64');
      const embedding = body.encoding_format === 'base64' ? base64 : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Best first, as many as are asked for. */
function rerank(body: Record<string, unknown>) {
  const wordsOf = (text: unknown) =>
    new Set(
      String(text)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu),
    );
  const asked = [...wordsOf(body.query)];
  const results = [body.documents].flat().map((document, index) => {
    const held = wordsOf(document);
    const found = asked.filter((word) => held.has(word)).length;
    return { index, relevance_score: found / Math.max(1, asked.length) };
  });
  results.sort((left, right) => right.relevance_score - left.relevance_score);
  const usage = { total_tokens: results.length };
  return {
    model: body.model,
    results: results.slice(0, Number(body.top_n ?? results.length)),
    usage,
  };
}

function completion(body: Record<string, unknown>, reply: Reply) {
  const content = (reply.deltas ?? defaultDeltas(body)).join('');
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: reply.refusal ?? null },
        finish_reason: reply.finishReason === undefined ? 'stop' : reply.finishReason,
      },
    ],
    ...(reply.usage !== false && { usage: usageOf(body, content) }),
  };
}

async function streamCompletion(
  response: ServerResponse,
  body: Record<string, unknown>,
  reply: Reply,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.flushHeaders();
  for (const piece of piecesOf(streamEvents(body, reply), reply.pieceBytes)) {
    if (reply.delayMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    }
    if (response.destroyed) {
      return;
    }
    await new Promise((resolve) => response.write(piece, resolve));
    if (reply.pieceBytes !== undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (reply.end === 'cut') {
    response.destroy();
  } else if (reply.end !== 'stall') {
    response.end();
  }
}

function streamEvents(body: Record<string, unknown>, reply: Reply): string[] {
  const deltas = reply.deltas ?? defaultDeltas(body);
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-stand-in',
      object: 'chat.completion.chunk',
      created: 0,
      model: body.model,
      ...fields,
    })}\n\n`;
  const choice = (delta: object, finishReason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const finishReason = reply.finishReason === undefined ? 'stop' : reply.finishReason;
  const isUsageWanted = JSON.stringify(body.stream_options ?? {}).includes('"include_usage":true');
  const isWhole = reply.end === undefined || reply.end === 'done';
  return [
    choice({ role: 'assistant', content: '' }),
    ...deltas.map((content) => choice({ content })),
    ...(reply.refusal === undefined ? [] : [choice({ refusal: reply.refusal })]),
    ...(reply.rawEvents ?? []),
    ...(finishReason === null ? [] : [choice({}, finishReason)]),
    ...(isUsageWanted && reply.usage !== false
      ? [chunk({ choices: [], usage: usageOf(body, deltas.join('')) })]
      : []),
    ...(isWhole ? ['data: [DONE]\n\n'] : []),
  ];
}

function piecesOf(events: readonly string[], pieceBytes: number | undefined): Buffer[] {
  if (pieceBytes === undefined) {
    return events.map((event) => Buffer.from(event));
  }
  const bytes = Buffer.from(events.join(''));
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
}

/** The last line of the prompt, as an answer that cites the first source. */
function defaultDeltas(body: Record<string, unknown>): string[] {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const prompt = String(messages.at(-1)?.content ?? '');
  const lastLine = prompt.trim().split('\n').at(-1) ?? '';
  return [`You asked: ${lastLine} `, 'The first source ', 'answers this ', '[1].'];
}

function usageOf(body: Record<string, unknown>, content: string) {
  const promptTokens = Math.ceil(JSON.stringify(body.messages ?? '').length / 4);
  const completionTokens = Math.ceil(content.length / 4);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const portAt = process.argv.indexOf('--port');
  const port = portAt === -1 ? 0 : Number(process.argv[portAt + 1]);
  const server = await startOpenAiServer({ port });
  console.log(`Stand-in OpenAI server (no model behind it): ${server.baseUrl}`);
}
