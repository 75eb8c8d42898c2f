import { DomainError } from '../../../platform/errors.ts';
import {
  type ItemReader,
  maxRunMs,
  SourceError,
  type SourceItem,
  type SourceReading,
} from '../connector.ts';
import { removeUnseen } from '../remove-unseen.ts';
import { storeReport } from '../run-report.ts';
import { ItemWriter } from './item-writer.ts';

/** Number of items that are compared with the database at a time. */
const batchItems = 100;

/**
 * Makes the documents of a source equal to the items of a reader. Reads an item only if its version differs from the
 * version from which its document was made. The reader's signal also aborts when the time of the run is over. Returns
 * null, or the reason why the documents may still differ.
 */
export async function readItems(
  reading: SourceReading,
  createReader: (reading: SourceReading) => ItemReader,
  maxItems: number,
): Promise<string | null> {
  const { context, source, run, report } = reading;
  const timeLimit = AbortSignal.timeout(
    Math.max(0, run.startedAt.getTime() + maxRunMs - Date.now()),
  );
  const signal = AbortSignal.any([context.signal, timeLimit]);
  const reader = createReader({ ...reading, context: { ...context, signal } });
  const writer = new ItemWriter(reading);
  try {
    const error = await readAll(reading, reader, writer, maxItems, signal);
    if (error !== null) return error;
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    if (error instanceof DomainError && error.code === 'QUOTA_EXCEEDED') return error.message;
    if (timeLimit.aborted && !context.signal.aborted && error === timeLimit.reason) {
      return 'The run took too long';
    }
    throw error;
  }
  const { confirmsRemovals } = source;
  const held = await removeUnseen(context, { ...writer.owner, confirmsRemovals }, run, report);
  const { count, reason } = writer.unread;
  if (held !== null || count === 0) return held;
  return `Files that could not be read, and keep their documents: ${count}. ${reason}`;
}

async function readAll(
  { context, run, report }: SourceReading,
  reader: ItemReader,
  writer: ItemWriter,
  maxItems: number,
  signal: AbortSignal,
): Promise<string | null> {
  // After a process has died, this process compares the whole list again. So it finds all refusals and warnings again.
  report.refused = 0;
  report.refusals.length = 0;
  report.warnings.length = 0;
  let count = 0;
  for await (const items of inBatches(reader.list())) {
    signal.throwIfAborted();
    const allowed = await writer.withoutTwins(items.slice(0, maxItems - count));
    count += items.length;
    for await (const item of reader.read(await writer.findChanged(allowed))) {
      await writer.write(item);
      await storeReport(context, run, report);
    }
    await storeReport(context, run, report);
    if (count > maxItems) return `The source has more than ${maxItems} files`;
  }
  const [refusal] = report.refusals;
  if (refusal !== undefined && report.added + report.changed + report.unchanged === 0) {
    return `No file could be read: ${refusal.reason}`;
  }
  return null;
}

async function* inBatches(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem[]> {
  let batch: SourceItem[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchItems) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
