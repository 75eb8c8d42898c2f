import { APIError } from 'openai/core/error';
import type { ChatOptions } from '../models.ts';

export const defaultChatOptions: ChatOptions = {
  temperature: null,
  reasoningEffort: null,
  maxOutputTokens: null,
};

/** Optional parameters of a request, by their names in the API. */
export type OptionalParameters = Readonly<Record<string, unknown>>;

/**
 * Returns the optional parameters of a request, except those that the server has rejected. Newer OpenAI models support
 * only `max_completion_tokens`, and many other servers only `max_tokens`.
 */
export function chatParameters(
  options: ChatOptions,
  rejected: ReadonlySet<string>,
): OptionalParameters {
  const limitName = rejected.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  const parameters: OptionalParameters = {
    temperature: options.temperature,
    reasoning_effort: options.reasoningEffort,
    [limitName]: options.maxOutputTokens,
  };
  return Object.fromEntries(
    Object.entries(parameters).filter(
      ([name, value]) => value !== null && !rejected.has(rejectionKey(name, value)),
    ),
  );
}

/**
 * Sends a request with optional parameters. If the server does not support one of them, sends the request again without
 * it. Stores unsupported parameters in `rejected` for later requests.
 */
export async function sendSupported<Result>(
  rejected: Set<string>,
  parameters: (rejected: ReadonlySet<string>) => OptionalParameters,
  send: (parameters: OptionalParameters) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const sent = parameters(rejected);
    try {
      return await send(sent);
    } catch (error) {
      const [name, value] = Object.entries(sent).find(([name]) => isUnsupported(error, name)) ?? [];
      if (name === undefined) throw error;
      const key = rejectionKey(name, value);
      if (rejected.has(key)) throw error;
      if (rejected.size >= maxRejected) rejected.clear();
      rejected.add(key);
    }
  }
}

/**
 * Maximum number of entries in `rejected`. Without it, the set could grow without limit, because projects choose the
 * values.
 */
const maxRejected = 1_000;

/**
 * Returns the entry for a parameter in `rejected`. For some parameters, the entry contains the value: if the server
 * rejects the value of one project, other projects can still use other values.
 */
function rejectionKey(name: string, value: unknown): string {
  return name === 'temperature' || name === 'reasoning_effort' ? `${name}=${value}` : name;
}

function isUnsupported(error: unknown, name: string): boolean {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
  const text = String(JSON.stringify(error.error) ?? error.message).slice(0, 4_000);
  return (error.param === name || text.includes(name)) && unsupportedText.test(text);
}

const unsupportedText = /support|recogni[sz]ed|unknown|permitted|not allowed|extra|unexpected/i;
