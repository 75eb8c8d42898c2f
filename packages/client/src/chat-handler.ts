import { apiUrlOf } from './access.ts';
import { createClient } from './client.ts';
import { ApiError } from './errors.ts';
import type { Body } from './routes.ts';

export interface ChatHandlerOptions {
  /** Address of the service. */
  readonly baseUrl: string;
  /** Secret of a key with the scopes `chat` and `conversations:read`. It never reaches the browser. */
  readonly apiKey: string;
  readonly projectId?: string;
  /**
   * Returns the user who sent the request, and the documents that this user may read. Read the session of your site
   * here. Return null to refuse the request. Each conversation belongs to one `endUserId`, and only this user can
   * continue and read it.
   */
  readonly identify: (request: Request) => ChatUser | null | Promise<ChatUser | null>;
  /** Receives the error if the service cannot answer. The visitor receives only the status 502. */
  readonly onError?: (error: unknown) => void;
}

export interface ChatUser {
  readonly endUserId: string;
  /** Limits the answers of this user to documents that match. Default: all documents that the key may read. */
  readonly filter?: Body<'sendMessage'>['filter'];
}

/** The operations that a chat in a browser needs. The handler refuses all other operations. */
const allowed =
  /^(?:POST \/(?:chat|chat\/[\da-f-]{36}\/stop|handoff)|GET \/(?:chat|conversations)\/[\da-f-]{36}(?:\/stream)?|PUT \/(?:messages\/[\da-f-]{36}\/feedback|handoffs\/[\da-f-]{36}\/satisfaction))$/;

/** Maximum length of a body. Every valid message is shorter. */
const maxBodyCharacters = 32_768;

const requestHeaders = ['idempotency-key'];
const responseHeaders = [
  'content-type',
  'cache-control',
  'retry-after',
  'x-request-id',
  // This header keeps proxies in front of your site from buffering a stream.
  'x-accel-buffering',
];

/**
 * Returns a handler for a route of your site that ends with `/api/v1/*`. The handler receives the requests of a client
 * without a key, adds the key, and forwards them to the service. It does not check the ids of answers and handoffs,
 * because nobody can guess them.
 */
export function createChatHandler(
  options: ChatHandlerOptions,
): (request: Request) => Promise<Response> {
  const client = createClient(options);
  const { baseUrl, apiKey, projectId, identify, onError } = options;
  const api = apiUrlOf(baseUrl);

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(pathname.lastIndexOf('/api/v1/') + '/api/v1'.length);
    if (!allowed.test(`${request.method} ${path}`)) return refuse(404, 'NOT_FOUND');
    const user = await identify(request);
    if (user === null) return refuse(401, 'UNAUTHENTICATED');
    try {
      return await forward(request, path, search, user);
    } catch (error) {
      onError?.(error);
      return refuse(502, 'UNAVAILABLE');
    }
  };

  async function forward(
    request: Request,
    path: string,
    search: string,
    user: ChatUser,
  ): Promise<Response> {
    const body = request.method === 'GET' ? {} : await readBody(request);
    if (body === null) return refuse(400, 'MALFORMED_REQUEST');
    const id = path.startsWith('/conversations/') ? path.slice(15) : body.conversationId;
    if (id !== undefined && !(await owns(user, id, request.signal)))
      return refuse(404, 'NOT_FOUND');
    const after = new URLSearchParams(search).get('after');
    const query = new URLSearchParams({
      ...(after !== null && { after }),
      ...(request.method === 'GET' && projectId !== undefined && { projectId }),
    });
    const response = await fetch(`${api}${path}?${query}`, {
      method: request.method,
      headers: {
        ...pick(request.headers, requestHeaders),
        ...(request.method !== 'GET' && { 'content-type': 'application/json' }),
        authorization: `Bearer ${apiKey}`,
      },
      body: request.method === 'GET' ? null : JSON.stringify({ ...body, ...additions(path, user) }),
      signal: request.signal,
    });
    const headers = pick(response.headers, responseHeaders);
    return new Response(response.body, { status: response.status, headers });
  }

  /** Returns the fields of the body that the handler sets, because the browser must not choose them. */
  function additions(path: string, { endUserId, filter }: ChatUser): object {
    return { projectId, filter: undefined, ...(path === '/chat' && { endUserId, filter }) };
  }

  async function owns(
    { endUserId }: ChatUser,
    conversationId: unknown,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const conversation = await client.conversations.get(String(conversationId), { signal });
      return conversation.endUserId === endUserId;
    } catch (error) {
      if (error instanceof ApiError && [400, 404].includes(error.status ?? 0)) return false;
      throw error;
    }
  }
}

function refuse(status: number, code: string): Response {
  return Response.json({ statusCode: status, code, message: 'Refused' }, { status });
}

/**
 * Returns null if the body is too long or is not a JSON object. Requires the JSON content type, because a form of
 * another site cannot send it.
 */
async function readBody(request: Request): Promise<Record<string, unknown> | null> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length <= maxBodyCharacters) continue;
    await reader?.cancel();
    return null;
  }
  if (text === '') return {};
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return null;
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
