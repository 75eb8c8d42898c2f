import { APIError } from 'openai/core/error';
import { DomainError } from '../../platform/errors.ts';
import type { AnswerRequest } from '../models.ts';

/** Whether a call failed because the prompt is longer than the context window of the model. */
export function isContextOverflow(error: unknown): boolean {
  const reason = error instanceof DomainError ? error.cause : error;
  if (!(reason instanceof APIError)) return false;
  if (reason.code === 'context_length_exceeded') return true;
  // LM Studio reports the overflow as an event in a stream with status 200, so the SDK error has no status.
  const status: number | undefined = reason.status;
  if (status !== undefined && !overflowStatuses.includes(status)) return false;
  return overflowText.test(String(JSON.stringify(reason.error) ?? reason.message).slice(0, 4_000));
}

const overflowStatuses = [400, 413, 422, 500];

/** Matches the error texts of OpenAI and vLLM, llama.cpp and Ollama, LM Studio, Anthropic, Mistral and Gemini. */
const overflowText =
  /context[ _](?:length|size|window)|context the overflows|prompt is too long|prompt contains \d+ tokens|longer than the maximum model length|input token count/i;

/**
 * Returns the request with the better (first) half of its sources and the newer half of its history. If there is only
 * one source, keeps the first half of its text.
 */
export function halveContext(request: AnswerRequest): AnswerRequest {
  const { sources, history } = request;
  const [first] = sources;
  const isOneSource = first !== undefined && sources.length === 1;
  return {
    ...request,
    history: history.slice(Math.ceil(history.length / 2)),
    sources: isOneSource
      ? [{ ...first, content: first.content.slice(0, Math.ceil(first.content.length / 2)) }]
      : sources.slice(0, Math.ceil(sources.length / 2)),
  };
}
