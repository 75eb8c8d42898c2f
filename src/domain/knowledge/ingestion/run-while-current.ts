import type { Context } from '../../context.ts';
import type { Document } from '../documents.ts';

const checkIntervalMs = 1_000;

/**
 * Runs a part of an attempt to ingest a document. Checks once a second whether the document was deleted or a later
 * attempt has started on any node. If so, aborts the signal of the context that `work` receives, and returns null.
 */
export async function runWhileCurrent<Result>(
  context: Context,
  { id, projectId, attempt }: Pick<Document, 'id' | 'projectId' | 'attempt'>,
  work: (context: Context) => Promise<Result>,
): Promise<Result | null> {
  const controller = new AbortController();
  const where = { id, projectId, attempt, status: 'PROCESSING' } as const;
  let isRunning = true;
  const check = async () => {
    // If this check fails, continue: the attempt itself reports the outage.
    const count = await context.db.document.count({ where }).catch(() => 1);
    if (count === 0) controller.abort(new Error('The document was deleted or is ingested again'));
    else if (isRunning) timer = setTimeout(check, checkIntervalMs);
  };
  let timer = setTimeout(check, checkIntervalMs);
  try {
    return await work({
      ...context,
      signal: AbortSignal.any([context.signal, controller.signal]),
    });
  } catch (error) {
    if (controller.signal.aborted) return null;
    throw error;
  } finally {
    isRunning = false;
    clearTimeout(timer);
  }
}
