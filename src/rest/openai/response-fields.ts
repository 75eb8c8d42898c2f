import type { ResponseRequest } from './response-request.ts';

/**
 * Fields of a request that OpenAI's response object repeats. If a field is not sent, the response has the default, if
 * any.
 */
const repeatedFields = [
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'temperature',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
] as const satisfies readonly (keyof ResponseRequest)[];

/**
 * Returns the fields of OpenAI's response object that repeat the request. Like OpenAI, returns the values that the
 * client sent, even if the project's own settings apply instead.
 */
export function repeatRequest(request: ResponseRequest): Record<string, unknown> {
  const sent = repeatedFields.flatMap((name) =>
    request[name] === undefined ? [] : [[name, request[name]]],
  );
  return {
    ...defaults,
    ...Object.fromEntries(sent),
    model: request.model,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null, ...request.reasoning },
    text: { format: { type: 'text' }, ...request.text },
  };
}

const defaults = {
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: false,
  store: true,
  temperature: null,
  tool_choice: 'none',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  user: null,
};
