import { APIError } from 'openai/core/error';
import { z } from 'zod';
import { startCallDeadline } from '../availability/call-deadline.ts';
import type { ModelCaller } from './openai-caller.ts';
import { toModelError } from './openai-failure.ts';
import { readJson } from './openai-response.ts';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const maxListBytes = 4_000_000;

/**
 * Whether the server has a model with this name. True if the server does not list its models.
 *
 * @throws DomainError MODEL_ERROR when the server fails or takes too long.
 */
export async function hasModel(
  { client, limits }: Pick<ModelCaller, 'client' | 'limits'>,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = startCallDeadline(signal, limits.rewriteTimeoutMs);
  try {
    const call = client.models.list({ signal: deadline.controller.signal });
    const list = listSchema.parse(await readJson(await call.asResponse(), maxListBytes));
    return list.data.some(({ id }) => id === name);
  } catch (error) {
    if (error instanceof APIError && error.status === 404) return true;
    throw deadline.failure() ?? toModelError(error);
  } finally {
    deadline.close();
  }
}
