import OpenAI from 'openai';
import type { OpenAiLimits } from './openai-limits.ts';

/** Any server that speaks OpenAI's protocol. */
export interface OpenAiServer {
  /** Address up to and including the version, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Null for servers without keys: no Authorization header is sent. */
  readonly apiKey: string | null;
  readonly model: string;
  readonly limits?: Partial<OpenAiLimits>;
}

/**
 * The SDK without its own retries, logging and environment. Its time-out ends with the headers and it
 * waits up to a minute between tries, so callers bring their own signal and `sendWithRetries`.
 */
export function openAiClient(server: OpenAiServer): OpenAI {
  return new OpenAI({
    baseURL: server.baseUrl,
    apiKey: server.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: server.apiKey === null ? { Authorization: null } : {},
    // A redirect would carry the documents to a place the operator did not name.
    fetchOptions: { redirect: 'manual' },
    logLevel: 'off',
    maxRetries: 0,
  });
}
