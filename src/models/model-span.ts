import type { SpanSettings } from '../platform/tracing/span.ts';
import { capturesContent, isTracing, setSpanAttributes } from '../platform/tracing/tracer.ts';
import type { TokenUsage } from './models.ts';

/** Where a model runs: on a server with OpenAI's API, on a rerank server, or in the service. */
export interface ModelProvider {
  /** Value of `gen_ai.provider.name`. */
  readonly name: 'openai' | 'rerank' | 'grounded_chat';
  /** Host and port of the server. Null for a model of the service. */
  readonly host: string | null;
}

export const builtInProvider: ModelProvider = { name: 'grounded_chat', host: null };

/** Values of `gen_ai.operation.name`. The conventions have no value for reranking. */
export type ModelSpanOperation = 'chat' | 'embeddings' | 'rerank';

/** Returns name and settings of the span of a call, by OpenTelemetry's conventions for generative AI. */
export function modelSpan(
  operation: ModelSpanOperation,
  model: string,
  { name: provider, host }: ModelProvider,
): readonly [name: string, settings: SpanSettings] {
  const [, address, port] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? [];
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    'server.address': address || undefined,
    'server.port': port === undefined ? undefined : Number(port),
  };
  return [`${operation} ${model}`, { kind: host === null ? 'INTERNAL' : 'CLIENT', attributes }];
}

/** Adds the tokens of a call to its span. */
export function recordSpanUsage({ inputTokens, outputTokens }: TokenUsage): void {
  setSpanAttributes({
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
  });
}

const maxNameLength = 200;

/** Adds the model that a response of a model server names to the span of the call. */
export function recordResponseModel(response: unknown): void {
  if (!isTracing() || typeof response !== 'object' || response === null) return;
  const model: unknown = Reflect.get(response, 'model');
  if (typeof model !== 'string') return;
  setSpanAttributes({ 'gen_ai.response.model': model.slice(0, maxNameLength) });
}

/** Maximum length of a captured text in UTF-16 units. */
const maxContentLength = 4_000;

/** Records question and answer for the current span, if the operator allows this. Otherwise it keeps no text. */
export class ContentRecorder {
  readonly #isOn = capturesContent();
  #answer = '';

  constructor(question: string) {
    if (!this.#isOn) return;
    setSpanAttributes({ 'gen_ai.input.messages': toMessage('user', question) });
  }

  add(text: string): void {
    if (this.#isOn && this.#answer.length < maxContentLength) this.#answer += text;
  }

  finish(): void {
    if (!this.#isOn) return;
    setSpanAttributes({ 'gen_ai.output.messages': toMessage('assistant', this.#answer) });
  }
}

function toMessage(role: 'user' | 'assistant', text: string): string {
  const content = text.slice(0, maxContentLength).toWellFormed();
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}
