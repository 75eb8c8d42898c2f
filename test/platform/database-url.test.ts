import { describe, expect, it } from 'vitest';
import { connectionOptions } from '../../src/platform/postgres/connection-options.ts';
import {
  hostNames,
  hostUrls,
  requiresPrimary,
  withPort,
} from '../../src/platform/postgres/database-url.ts';

describe('a database URL with several hosts', () => {
  it.each([
    [
      'postgresql://me:a,b%40c@one:5433,two/app?sslmode=require',
      [
        'postgresql://me:a,b%40c@one:5433/app?sslmode=require',
        'postgresql://me:a,b%40c@two/app?sslmode=require',
      ],
    ],
    ['postgres://[::1]:5433,[::2]', ['postgres://[::1]:5433', 'postgres://[::2]']],
    [
      'postgres://one,two?options=-c%20a@b',
      ['postgres://one?options=-c%20a@b', 'postgres://two?options=-c%20a@b'],
    ],
    [
      'postgresql://me@one/app?application_name=a,b',
      ['postgresql://me@one/app?application_name=a,b'],
    ],
  ])('%s names these hosts', (url, urls) => {
    expect(hostUrls(url)).toEqual(urls);
  });

  it('names its hosts without the password, and changes all ports', () => {
    const url = 'postgresql://me:hunter2@one:6432,[::2]/app?sslmode=require';
    expect(hostNames(url)).toBe('one:6432, [::2]:5432');
    expect(withPort(url, '5433')).toBe(
      'postgresql://me:hunter2@one:5433,[::2]:5433/app?sslmode=require',
    );
  });

  it('leads to the primary. A URL with one host does only if it says so, and is passed on as it is', () => {
    expect(requiresPrimary('postgresql://one,two/app')).toBe(true);
    expect(requiresPrimary('postgresql://one/app?target_session_attrs=primary')).toBe(true);
    const url = 'postgresql://me:secret@one/app?application_name=x';
    expect(requiresPrimary(url)).toBe(false);
    expect(connectionOptions(url).connectionString).toBe(url);
  });
});
