import OpenAI from 'openai';
import type { Logger } from 'pino';
import { userAgent } from '../../platform/version.ts';
import { httpFetch } from '../availability/http-fetch.ts';
import type { ChatOptions } from '../models.ts';
import type { OpenAiLimits } from './openai-limits.ts';

/** A server with an OpenAI-compatible API. */
export interface OpenAiEndpoint {
  /** Base URL including the version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Null if the server needs no key. Then no Authorization header is sent. */
  readonly apiKey: string | null;
  readonly model: string;
  readonly limits?: Partial<OpenAiLimits>;
  readonly chatOptions?: Partial<ChatOptions>;
  /** Unset: nothing is logged. */
  readonly log?: Logger;
}

/**
 * Creates an SDK client. The retries, the logging and the environment variables of the SDK are turned off. The SDK
 * would wait up to a minute between retries, and its timeout covers only the response headers. So callers pass their
 * own signal and use `sendWithRetries`.
 */
export function openAiClient(server: OpenAiEndpoint): OpenAI {
  return new OpenAI({
    baseURL: server.baseUrl,
    apiKey: server.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: {
      'User-Agent': userAgent,
      ...(server.apiKey === null && { Authorization: null }),
    },
    // `httpFetch` does not follow redirects. A redirect would send document contents to a host that the operator did
    // not configure.
    fetch: httpFetch,
    logLevel: 'off',
    maxRetries: 0,
  });
}
