import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = resolve('scripts/licenses/third-party-licenses.mjs');
const mit = 'MIT License\n\nCopyright (c) 2020 Someone\n\nPermission is hereby granted …\n';
const locked = new Map<string, unknown>();
let folder: string;

beforeEach(() => {
  locked.clear();
  folder = mkdtempSync(join(tmpdir(), 'licenses-'));
  mkdirSync(join(folder, 'src/widget'), { recursive: true });
  write('src/dashboard/page.ts', "import { Button } from 'button/small';\n");
  install('server', { license: 'MIT' }, mit);
  install('button', { license: 'MIT', dev: true }, mit.replace('Someone', 'Somebody'));
  install('linter', { license: 'GPL-3.0-only', dev: true }, 'GPL');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('lists what the service and the browser bundles contain, with each owner, and no development tool', () => {
  expect(run()).toEqual({ status: 0, stderr: '' });
  const text = readFileSync(join(folder, 'THIRD_PARTY_LICENSES.md'), 'utf8');
  expect(text.match(/^\| \w+ \| 1.*$/gm)).toEqual([
    '| button | 1.0.0 | MIT | [1](#text-1) |',
    '| server | 1.0.0 | MIT | [1](#text-1) |',
  ]);
  expect(text).toContain('button 1.0.0\n  Copyright (c) 2020 Somebody\nserver 1.0.0\n');
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(1);
});

test('lists the builds of all platforms on every machine', () => {
  const builds = { 'server-linux': '1.0.0', 'server-darwin': '1.0.0' };
  install('server', { license: 'MIT', optionalDependencies: builds }, mit);
  for (const os of ['linux', 'darwin']) lock(`server-${os}`, { optional: true, os: [os] });
  expect(run().status).toBe(0);
  const text = readFileSync(join(folder, 'THIRD_PARTY_LICENSES.md'), 'utf8');
  expect(text).toContain('| server-darwin | 1.0.0 | MIT | [1](#text-1) |');
});

test('the check fails until the file is written after a change', () => {
  expect(run('--check').stderr).toContain('not up to date. Run `npm run licenses`');
  run();
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
  install('added', { license: 'ISC' }, 'ISC');
  expect(run('--check').status).toBe(1);
});

test.each([
  ['GPL-3.0-only', 'GPL-3.0-only'],
  ['MIT AND GPL-3.0-only', 'MIT AND GPL-3.0-only'],
  [undefined, 'no licence'],
])('refuses a package with the licence %s by name', (license, shown) => {
  install('viral', { license }, 'text');
  for (const args of [[], ['--check']]) {
    const { status, stderr } = run(...args);
    expect(stderr).toContain(`viral 1.0.0: ${shown} is not allowed`);
    expect(status).toBe(1);
  }
});

test('accepts a package with a choice of licences if one is allowed', () => {
  install('dual', { license: '(GPL-3.0-only OR MIT)' }, mit);
  expect(run()).toEqual({ status: 0, stderr: '' });
});

function run(...args: string[]) {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stderr };
}

function install(name: string, fields: Record<string, unknown>, text: string) {
  lock(name, fields);
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, ...fields }));
  write(`node_modules/${name}/LICENSE`, text);
}

function lock(name: string, fields: Record<string, unknown>) {
  locked.set(`node_modules/${name}`, { version: '1.0.0', ...fields });
  write('package-lock.json', JSON.stringify({ packages: Object.fromEntries(locked) }));
}

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
