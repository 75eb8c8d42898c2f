import type { IncomingMessage } from 'node:http';
import { APIConnectionError, APIError } from 'openai/core/error';
import { userAgent } from '../../platform/version.ts';
import {
  isSuccess,
  readStart,
  receivedHeaders,
  sendRequest,
  statusOf,
} from '../availability/http-fetch.ts';
import type { OpenAiEndpoint } from './openai-client.ts';

/** Sends a JSON body to one address of a server. Resolves with the head of a successful response. */
export type PostJson = (body: object, signal: AbortSignal) => Promise<IncomingMessage>;

/**
 * Creates a function that sends requests and throws the same errors as the SDK. Use it for calls that every search
 * makes, because the SDK takes more processor time per request than the rest of such a call. The function does not
 * retry and does not follow redirects.
 *
 * @throws APIError when the server refuses the request.
 * @throws APIConnectionError when the server cannot be reached.
 */
export function jsonPoster({ baseUrl, apiKey }: OpenAiEndpoint, path: string): PostJson {
  const address = new URL(baseUrl);
  address.pathname = address.pathname.replace(/\/$/, '') + path;
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
  };
  return async (body, signal) => {
    const text = JSON.stringify(body);
    const length = { 'Content-Length': Buffer.byteLength(text) };
    const options = { method: 'POST', headers: { ...headers, ...length }, signal };
    const message = await sendRequest(address, options, text).catch((error: unknown) => {
      throw new APIConnectionError({ cause: error instanceof Error ? error : undefined });
    });
    if (isSuccess(message)) return message;
    throw await refusalOf(message);
  };
}

async function refusalOf(message: IncomingMessage): Promise<APIError> {
  const text = await readStart(message);
  const body = parseObject(text);
  const shown = body === undefined ? text : undefined;
  return APIError.generate(statusOf(message), body, shown, receivedHeaders(message));
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
