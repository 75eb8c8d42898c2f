import { expect, test } from 'vitest';
import { findSettingWarnings } from '../../src/config/setting-warnings.ts';

test.each([
  ['PROT', 'PORT'],
  ['PORTT', 'PORT'],
  ['HOTS', 'HOST'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['OPENAI_API_KEI', 'OPENAI_API_KEY'],
])('%s is warned of, with the name of %s and without its value', (name, setting) => {
  expect(findSettingWarnings({ [name]: 'hunter2' })).toEqual([`${name}: did you mean ${setting}?`]);
});

test.each(['PORT', 'prot', 'PATH', 'HOME', 'HOSTS', 'CHOST', 'EMAIL_FROM', 'PWD', 'SHELL', 'USER'])(
  '%s is not warned of',
  (name) => {
    expect(findSettingWarnings({ [name]: 'value' })).toEqual([]);
  },
);

test('a NODE_ENV that has no meaning is warned of, without its value', () => {
  const [warning = '', ...others] = findSettingWarnings({ NODE_ENV: 'prod' });
  expect(others).toEqual([]);
  expect(warning).toMatch(/^NODE_ENV is none of production, development and test/);
  expect(warning).not.toContain('prod:');
  for (const NODE_ENV of ['production', 'development', 'test', ' ', undefined]) {
    expect(findSettingWarnings({ NODE_ENV })).toEqual([]);
  }
});
