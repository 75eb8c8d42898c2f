import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepAliveComment, startKeepAlive } from '../../src/http/keep-alive.ts';
import { type SseEvent, sendEvents } from '../../src/http/send-events.ts';

/** A response without a network, and the texts that are written to it. */
function fakeResponse(fields: Partial<ServerResponse> = {}) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const response = { headersSent: true, writableNeedDrain: false, writableEnded: false, ...fields };
  // The functions under test use these members only.
  return { response: { ...response, write } as unknown as ServerResponse, written };
}

describe('a silent stream', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('gets a comment at least every 15 seconds, until its end', () => {
    const { response, written } = fakeResponse();
    const keepAlive = startKeepAlive(response, () => keepAliveComment);
    vi.advanceTimersByTime(15_000);
    expect(written).toEqual([':\n\n']);
    vi.advanceTimersByTime(45_000);
    expect(written).toHaveLength(5);
    keepAlive[Symbol.dispose]();
    vi.advanceTimersByTime(60_000);
    expect(written).toHaveLength(5);
  });

  test.each([
    ['whose status is not sent', { headersSent: false }],
    ['whose client does not read', { writableNeedDrain: true }],
    ['that has ended', { writableEnded: true }],
  ])('%s gets none', (_what, fields) => {
    const { response, written } = fakeResponse(fields);
    startKeepAlive(response, () => keepAliveComment);
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
  });
});

describe('an answer whose model is silent', () => {
  test('has empty deltas with the number of the last event, which are not recorded', async () => {
    const recorded: string[] = [];
    let release = () => {};
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* events(): AsyncGenerator<SseEvent> {
      yield { type: 'meta' };
      yield { type: 'sources' };
      await silence;
      yield { type: 'delta', text: 'Two years.' };
      yield { type: 'done' };
    }
    const recorder = { recordEvent: async (type: string) => void recorded.push(type) };
    const ticks = vi.spyOn(globalThis, 'setInterval');
    const server = createServer((_request, response) => {
      const context = { signal: new AbortController().signal, log: pino({ level: 'silent' }) };
      void sendEvents({ response, context, stallTimeoutMs: 1_000, recorder }, events(), (x) => x);
    });
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await vi.waitFor(() => expect(recorded).toEqual(['meta', 'sources']));
      const tick = ticks.mock.calls.find(([, ms]) => ms === 12_000)?.[0];
      tick?.();
      tick?.();
      release();
      const frames = (await response.text()).trim().split('\n\n');
      expect(frames.map((frame) => JSON.parse(frame.slice('data: '.length)))).toEqual([
        { type: 'meta', seq: 0 },
        { type: 'sources', seq: 1 },
        { type: 'delta', text: '', seq: 1 },
        { type: 'delta', text: '', seq: 1 },
        { type: 'delta', text: 'Two years.', seq: 2 },
        { type: 'done', seq: 3 },
      ]);
      expect(recorded).toEqual(['meta', 'sources', 'delta', 'done']);
    } finally {
      ticks.mockRestore();
      server.close();
    }
  });
});
