import { describe, expect, it } from 'vitest';
import { findListenStatements } from '../../src/platform/embedded/listen-statements.ts';

describe('finding LISTEN statements in SQL', () => {
  const channels = (sql: string) =>
    findListenStatements(sql).map(({ verb, channel }) => `${verb} ${channel}`);

  it.each([
    ['listen A', ['LISTEN a']],
    ['LISTEN "A ""b"";"', ['LISTEN A "b";']],
    ['unlisten *; Listen b;', ['UNLISTEN *', 'LISTEN b']],
    ['-- listen a\nlisten b', ['LISTEN b']],
    ['/* ; listen a; */ listen/**/b', ['LISTEN b']],
    [`select '; listen a'; listen b`, ['LISTEN b']],
    [`select e'\\'; listen a'; listen b`, ['LISTEN b']],
    [`select 'it''s; listen a'; listen b`, ['LISTEN b']],
    ['do $x$ begin; listen a; end $x$; listen b', ['LISTEN b']],
    ['select 1 as listen', []],
    ['listen', []],
    ['listen tägliche_Änderung', ['LISTEN tägliche_Änderung']],
  ])('parses %j', (sql, expected) => {
    expect(channels(sql)).toEqual(expected);
  });

  it('truncates long channel names as Postgres does, never inside a character', () => {
    expect(channels(`listen ${'x'.repeat(70)}`)).toEqual([`LISTEN ${'x'.repeat(63)}`]);
    expect(channels(`listen ${'ä'.repeat(40)}`)).toEqual([`LISTEN ${'ä'.repeat(31)}`]);
  });

  it('takes linear time', () => {
    const hostile = `listen a; ${`'"$x$/*`.repeat(50_000)}`;
    // If the time grew quadratically, this would exceed the time limit of the test.
    expect(findListenStatements(hostile)).toHaveLength(1);
  });
});
