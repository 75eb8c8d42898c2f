import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { OpenAiConfig } from '../../../src/config/model-config.ts';
import { hashEmbedding } from '../hash-embedding.ts';

/**
 * A model server without a model. Has OpenAI's HTTP API (`/v1/chat/completions` with and without streaming,
 * `/v1/embeddings`, `/v1/models`) and Cohere's `/v1/rerank`. Embeddings are computed from hashed words. The relevance
 * of a document is the share of the query's words that it contains. Answers are scripted, or quote the prompt.
 */
export interface OpenAiServer {
  /** URL of the API, such as `http://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
  /** Settings of a service that uses this server for answers, and the built-in model for embeddings. */
  readonly chatModelConfig: OpenAiConfig;
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Sets the replies to the next requests, one reply per request. After that, requests get default answers again. */
  script(...replies: readonly Reply[]): void;
  /** Returns the request with this index (from 0). Resolves when its body has been read. */
  request(index: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  /** Resolves when the server has written the whole reply, or the client has disconnected. */
  readonly written: Promise<void>;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
}

export interface Reply {
  /** Status of an error, for example 429 or 500. If set, the server sends a fixed reply and no completion. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The server sends nothing until this promise resolves. */
  readonly after?: Promise<unknown>;
  /** The parts of the answer's text. */
  readonly deltas?: readonly string[];
  /** Raw events that the server writes after the deltas, such as an error event, malformed JSON or a comment. */
  readonly rawEvents?: readonly string[];
  /** Delay in milliseconds before each part of the body. */
  readonly delayMs?: number;
  /** Before the server sends the part of the body that contains `text`, it waits for the promise `until`. */
  readonly hold?: { readonly text: string; readonly until: Promise<unknown> };
  /** Splits the body into parts of this many bytes. This also splits multi-byte characters. */
  readonly pieceBytes?: number;
  /** Value of `finish_reason`. Default: `stop`. Null omits the field. */
  readonly finishReason?: string | null;
  /** Whether the server sends the token usage if the client requests it, or the usage that it sends. Default: true. */
  readonly usage?: boolean | Readonly<Record<string, unknown>>;
  readonly refusal?: string;
  /**
   * How the stream ends: `done` sends `[DONE]`, `silent` omits `[DONE]`, `cut` breaks the connection, and `stall` never
   * ends the stream.
   */
  readonly end?: 'done' | 'silent' | 'cut' | 'stall';
}

export interface OpenAiServerOptions {
  readonly port?: number;
  /** If a request has another key, the server answers 401. The message contains that key, as OpenAI's does. */
  readonly apiKey?: string;
  /** Returns the embedding of a text by the requested model. Default: hashed words. */
  readonly embed?: (text: string, model: string) => Float32Array;
  /** Names of the models that the server lists. Default: `stand-in`. */
  readonly models?: readonly string[];
}

export async function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const requests: RecordedRequest[] = [];
  const waiters: { index: number; resolve: (request: RecordedRequest) => void }[] = [];
  let replies: readonly Reply[] = [];
  const server = createServer(async (request, response) => {
    // A keep-alive connection serves many requests, and each request adds listeners.
    request.socket.setMaxListeners(0);
    const closed = new Promise<void>((resolve) => request.socket.once('close', () => resolve()));
    const body = await readBody(request);
    const [reply = {}, ...rest] = replies;
    replies = rest;
    const written = answerRequest(request, response, body, reply, options);
    const recorded = { path: request.url ?? '', headers: request.headers, body, written, closed };
    requests.push(recorded);
    for (const { resolve } of waiters.filter(({ index }) => index === requests.length - 1)) {
      resolve(recorded);
    }
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${portOf(server.address())}/v1`;
  return {
    baseUrl,
    chatModelConfig: { baseUrl, apiKey: null, chatModel: 'stand-in', embeddingModel: null },
    requests,
    script: (...next) => {
      replies = [...replies, ...next];
    },
    request: async (index) =>
      requests[index] ?? new Promise((resolve) => waiters.push({ index, resolve })),
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
    const data = (options.models ?? ['stand-in']).map((id) => ({ id, object: 'model' }));
    sendJson(response, 200, { object: 'list', data });
  } else if (request.url === '/v1/embeddings') {
    const usage = reportedUsage(reply);
    const made = embeddings(body, options.embed ?? hashEmbedding);
    sendJson(response, 200, usage === null ? made : { ...made, usage });
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

function embeddings(
  body: Record<string, unknown>,
  embed: (text: string, model: string) => Float32Array,
) {
  const texts = [body.input].flat().map(String);
  const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  return {
    object: 'list',
    model: body.model,
    data: texts.map((text, index) => {
      const vector = embed(text, String(body.model));
      const base64 = Buffer.from(vector.buffer).toString('base64');
      const embedding = body.encoding_format === 'base64' ? base64 : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Returns the requested number of results, the most relevant first. */
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
    ...(reply.usage !== false && { usage: reportedUsage(reply) ?? usageOf(body, content) }),
  };
}

async function streamCompletion(
  response: ServerResponse,
  body: Record<string, unknown>,
  reply: Reply,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.flushHeaders();
  for (const piece of splitIntoPieces(streamEvents(body, reply), reply.pieceBytes)) {
    if (reply.delayMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    }
    if (reply.hold !== undefined && piece.includes(reply.hold.text)) await reply.hold.until;
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
      ? [chunk({ choices: [], usage: reportedUsage(reply) ?? usageOf(body, deltas.join('')) })]
      : []),
    ...(isWhole ? ['data: [DONE]\n\n'] : []),
  ];
}

function splitIntoPieces(events: readonly string[], pieceBytes: number | undefined): Buffer[] {
  if (pieceBytes === undefined) {
    return events.map((event) => Buffer.from(event));
  }
  const bytes = Buffer.from(events.join(''));
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
}

/** Returns an answer that consists of the last line of the prompt and cites the first source. */
function defaultDeltas(body: Record<string, unknown>): string[] {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const prompt = String(messages.at(-1)?.content ?? '');
  const lastLine = prompt.trim().split('\n').at(-1) ?? '';
  return [`You asked: ${lastLine} `, 'The first source ', 'answers this ', '[1].'];
}

/** Returns the scripted usage. Null: that of the prompt and the answer. */
function reportedUsage({ usage }: Reply): object | null {
  return typeof usage === 'object' ? usage : null;
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
