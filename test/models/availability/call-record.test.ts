import { expect, test } from 'vitest';
import { CallRecord } from '../../../src/models/availability/call-record.ts';

const none = { lastSucceededAt: null, lastFailedAt: null, medianMs: null };

test('records the latest success and failure of each model, and the median of the latest 50 calls', () => {
  const record = new CallRecord();
  const [early, late] = [new Date(1_000), new Date(2_000)];
  expect(record.of('EMBEDDING')).toEqual(none);
  for (let call = 0; call < 200; call += 1) {
    record.record({ operation: 'embed', outcome: 'SUCCEEDED', seconds: call }, early);
  }
  record.record({ operation: 'embed', outcome: 'FAILED', seconds: 1_000 }, late);
  expect(record.of('EMBEDDING')).toEqual({
    ...{ lastSucceededAt: early, lastFailedAt: late, medianMs: 175_000 },
  });
  expect(record.of('CHAT')).toEqual(none);
});

test('counts no stopped calls, and no rewrites in the duration of answers', () => {
  const record = new CallRecord();
  record.record({ operation: 'answer', outcome: 'STOPPED', seconds: 1 });
  expect(record.of('CHAT')).toEqual(none);
  record.record({ operation: 'rewrite', outcome: 'SUCCEEDED', seconds: 1 });
  expect(record.of('CHAT')).toMatchObject({ medianMs: null, lastFailedAt: null });
  record.record({ operation: 'answer', outcome: 'SUCCEEDED', seconds: 3 });
  expect(record.of('CHAT').medianMs).toBe(3_000);
});
