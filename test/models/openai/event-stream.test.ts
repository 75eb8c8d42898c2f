import { describe, expect, it } from 'vitest';
import { createEventStreamParser } from '../../../src/models/openai/event-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Parses the text in pieces of `size` bytes. */
function parse(text: string, size = Number.POSITIVE_INFINITY) {
  const parser = createEventStreamParser();
  const all = bytes(text);
  const events = [];
  for (let at = 0; at < all.length; at += size)
    events.push(...parser.push(all.subarray(at, at + size)));
  return [...events, ...parser.flush()];
}

describe('a stream of server-sent events', () => {
  const text = [
    ': comment\n\n',
    'data: {"a":1}\n\n',
    'data:no space\r\n\r\n',
    'event: error\rdata: first\rdata: Grüße 👩‍👧\r\r',
    'id: 7\nretry: 10\n\n',
    'data: [DONE]',
  ].join('');
  const events = [
    { name: null, data: '{"a":1}' },
    { name: null, data: 'no space' },
    { name: 'error', data: 'first\nGrüße 👩‍👧' },
    { name: null, data: '[DONE]' },
  ];

  it('is read with each kind of line end, comments and a last event without blank line', () => {
    expect(parse(text)).toEqual(events);
  });

  it.each([1, 2, 3, 7])('is the same in pieces of %i bytes', (size) => {
    expect(parse(text, size)).toEqual(events);
  });

  it('returns all events that one piece completes', () => {
    const parser = createEventStreamParser();
    expect(parser.push(bytes('data: 1\n\ndata: 2\n\ndata: 3'))).toHaveLength(2);
    expect(parser.push(bytes('\n\n'))).toEqual([{ name: null, data: '3' }]);
  });

  it('is read in linear time if a long line arrives byte by byte', () => {
    const parser = createEventStreamParser();
    const startedAt = process.cpuUsage();
    const piece = bytes('x');
    parser.push(bytes('data: '));
    for (let count = 0; count < 200_000; count += 1) parser.push(piece);
    expect(parser.flush()[0]?.data).toHaveLength(200_000);
    expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(10);
  });
});
