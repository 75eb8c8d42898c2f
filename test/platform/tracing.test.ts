import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DomainError } from '../../src/platform/errors.ts';
import { openPool } from '../../src/platform/postgres/database-pool.ts';
import { streamInSpan } from '../../src/platform/tracing/stream-in-span.ts';
import {
  currentSpanIds,
  inSpan,
  installTracer,
  startSpanStep,
  traceHeaders,
} from '../../src/platform/tracing/tracer.ts';
import { createSpanTracer } from '../../src/server/observability/open-telemetry/create-span-tracer.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { sharedDatabase } from '../support/shared-service.ts';

let exporter: InMemorySpanExporter;
let uninstall: () => void;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const settings = { capturesContent: false };
  uninstall = installTracer(createSpanTracer(provider.getTracer('test'), settings));
});
afterEach(() => uninstall());

/** Returns the spans that have ended so far, with the name of their parent. */
function endedSpans() {
  const spans = exporter.getFinishedSpans();
  return spans.map(({ name, attributes, status, parentSpanContext }) => {
    const parent = spans.find((one) => one.spanContext().spanId === parentSpanContext?.spanId);
    return { name, attributes, failed: status.code === 2, parent: parent?.name ?? null };
  });
}

const failing = () => {
  throw new DomainError('CONFLICT', 'A message with a name');
};

test('a failed span has the code of its error, and not the message', async () => {
  await expect(inSpan('work', {}, async () => failing())).rejects.toThrow(DomainError);
  expect(endedSpans()).toMatchObject([
    { name: 'work', failed: true, attributes: { 'error.type': 'CONFLICT' } },
  ]);
  expect(JSON.stringify(endedSpans())).not.toContain('a name');
});

test('cancelled work has not failed', async () => {
  const { reason } = AbortSignal.abort();
  await expect(inSpan('work', {}, () => Promise.reject(reason))).rejects.toBe(reason);
  expect(endedSpans()).toMatchObject([
    { name: 'work', failed: false, attributes: { 'error.type': 'AbortError' } },
  ]);
});

test('spans belong to the step that runs when they start', async () => {
  await inSpan('answer', { hasSteps: true }, async () => {
    startSpanStep('find', {});
    await inSpan('search', {}, () => inSpan('statement', {}, async () => {}));
    startSpanStep('write', {});
    await inSpan('call', {}, async () => {});
  });
  expect(endedSpans().map(({ name, parent }) => [name, parent])).toEqual([
    ['statement', 'search'],
    ['search', 'find'],
    ['find', 'answer'],
    ['call', 'write'],
    ['write', 'answer'],
    ['answer', null],
  ]);
});

async function* parts(count: number): AsyncGenerator<string | undefined> {
  for (let n = 0; n < count; n += 1) yield currentSpanIds()?.spanId;
  failing();
}

test('a stream has its span as the current one until it fails', async () => {
  const seen: unknown[] = [];
  const read = async () => {
    for await (const part of streamInSpan('stream', {}, () => parts(2))) seen.push(part);
  };
  await expect(read()).rejects.toThrow(DomainError);
  const [span] = exporter.getFinishedSpans();
  expect(new Set(seen)).toEqual(new Set([span?.spanContext().spanId]));
  expect(endedSpans()).toMatchObject([{ failed: true, attributes: { 'error.type': 'CONFLICT' } }]);
});

test('a stream that is not read to its end is stopped, and never read has no span', async () => {
  streamInSpan('never read', {}, () => parts(2));
  for await (const _ of streamInSpan('stream', {}, () => parts(2))) break;
  expect(endedSpans()).toMatchObject([
    { name: 'stream', failed: false, attributes: { 'grounded_chat.stopped': true } },
  ]);
});

test('a statement that waits for a connection stays in its own span', async () => {
  const access = databaseAccessFor(await sharedDatabase(), { statementTimeoutMs: null });
  const pool = openPool(access, { name: 'test', size: 1 });
  const names = ['first', 'second', 'third'];
  await Promise.all(
    names.map((name) => inSpan(name, {}, () => pool.query(`select $1::text as ${name}`, ['x']))),
  );
  await inSpan('failed', {}, () => pool.query('select 1 / 0 as failed')).catch(() => {});
  await pool.query('select 1 as alone');
  await pool.end();

  const statements = endedSpans().filter(({ name }) => name === 'SELECT');
  const textsByParent = statements.map(({ parent, attributes }) => [
    parent,
    attributes['db.query.text'],
  ]);
  expect(Object.fromEntries(textsByParent)).toEqual({
    ...Object.fromEntries(names.map((name) => [name, `select $1::text as ${name}`])),
    failed: 'select 1 / 0 as failed',
  });
  expect(statements.at(-1)).toMatchObject({ failed: true, attributes: { 'error.type': '22012' } });
});

test('without a tracer, work runs without spans and headers', async () => {
  uninstall();
  const work = async (span: unknown) => [span, currentSpanIds(), traceHeaders()];
  expect(await inSpan('work', {}, work)).toEqual([null, null, {}]);
  expect(endedSpans()).toEqual([]);
});
