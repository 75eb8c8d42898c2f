import { describe, expect, it } from 'vitest';
import { choosePrimary } from '../../src/platform/postgres/choose-primary.ts';
import type { HostAnswer } from '../../src/platform/postgres/probe-host.ts';

const writable = (name: string, timeline: number): HostAnswer => {
  return { name, host: name, port: 5432, timeline, problem: null, code: null };
};
const unusable = (name: string, problem: string, code: string | null): HostAnswer => {
  return { name, host: name, port: 5432, timeline: null, problem, code };
};
const standby = (name: string) => unusable(name, 'it is a standby', null);
const choose = (answers: readonly HostAnswer[], knownTimeline = 0) => {
  const { primary, conflict } = choosePrimary(answers, knownTimeline);
  return { name: primary.name, conflict };
};

describe('the primary', () => {
  it('is the host that accepts writes', () => {
    expect(choose([standby('a'), writable('b', 7)])).toEqual({ name: 'b', conflict: null });
  });

  it('is the host on the latest timeline if several accept writes', () => {
    expect(choose([writable('a', 2), writable('b', 10), standby('c')])).toEqual({
      name: 'b',
      conflict: 'several database hosts accept writes: using b on timeline 10, not a on timeline 2',
    });
  });

  it('is the first host if several lead to the same server', () => {
    expect(choose([writable('a', 2), writable('b', 2)])).toEqual({ name: 'a', conflict: null });
  });

  it('is a host whose timeline is secret if no other one accepts writes', () => {
    expect(choose([writable('a', 0), standby('b')], 3)).toEqual({ name: 'a', conflict: null });
    expect(choose([writable('a', 0), writable('b', 3)]).name).toBe('b');
  });

  it('is never a host that was replaced', () => {
    expect(() => choose([writable('a', 1), unusable('b', 'no response', '')], 2)).toThrow(
      'no host of the database accepts writes (a: it was replaced by a host of a later timeline; b: no response)',
    );
  });
});

describe('if there is no primary, the error has', () => {
  it.each([
    [
      'the code of all hosts',
      [unusable('a', 'refused', 'ECONNREFUSED'), unusable('b', 'refused', 'ECONNREFUSED')],
      'ECONNREFUSED',
    ],
    [
      'the code for no free connection, so that callers wait',
      [unusable('a', 'too many clients', '53300'), standby('b')],
      '53300',
    ],
    [
      'the code for a failed connection otherwise',
      [unusable('a', 'refused', 'ECONNREFUSED'), standby('b')],
      '08001',
    ],
    ['the same code if all are standbys', [standby('a'), standby('b')], '08001'],
  ] as const)('%s', (_, answers, code) => {
    expect(() => choose(answers)).toThrow(expect.objectContaining({ code }));
  });
});
