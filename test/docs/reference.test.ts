import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config/config.ts';
import { settingNames } from '../../src/config/settings.ts';
import { httpStatusOf } from '../../src/http/errors.ts';
import { errorCodes } from '../../src/platform/errors.ts';

describe('docs/reference/configuration.md', () => {
  const rows = tableRows('docs/reference/configuration.md', /^\| `([A-Z_]+)` \|/);

  test('lists every setting, once, in the order of .env.example', () => {
    expect(rows.map(([name]) => inner(name))).toEqual(settingNames);
  });

  test('gives each a meaning', () => {
    for (const [name, , meaning = ''] of rows)
      expect(meaning.split(' ').length, name).toBeGreaterThan(3);
  });

  test('names the defaults of the service', () => {
    const defaults = rows.filter(([, value = '']) => value.startsWith('`'));
    const env = Object.fromEntries(defaults.map(([name, value]) => [inner(name), inner(value)]));
    expect(Object.keys(env).length).toBeGreaterThan(10);
    expect(readConfig(env)).toEqual(readConfig({}));
  });
});

describe('docs/reference/errors.md', () => {
  const rows = tableRows('docs/reference/errors.md', /^\| \d{3} \| `([A-Z_]+)` \|/);

  test('lists every code with its status', () => {
    const shown = rows.map(([status, code]) => [inner(code), Number(status)]);
    const expected = errorCodes.map((code) => [code, httpStatusOf(code)] as const);
    expect(new Map(shown as [string, number][])).toEqual(new Map(expected));
    expect(shown).toHaveLength(expected.length);
  });

  test('says of each what it means and what to do', () => {
    for (const [, code, meaning, action] of rows) {
      for (const text of [meaning, action])
        expect(text?.split(' ').length, code).toBeGreaterThan(1);
    }
  });
});

test('docs/reference/cli.md has the usage and the summary of every command', () => {
  const text = readFileSync('docs/reference/cli.md', 'utf8');
  for (const [name, { usage, summary }] of Object.entries(commands)) {
    expect(text).toContain(`  ${`${name} ${usage}`.trim()}\n      ${summary}\n`);
  }
});

function tableRows(path: string, pattern: RegExp): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => line.split(/ ?(?<!\\)\| ?/).slice(1, -1));
}

function inner(cell: string | undefined): string {
  return cell?.replaceAll('`', '') ?? '';
}
