import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

// The scripts are JavaScript without types, so they are imported by their address.
const script = (name: string) => import(pathToFileURL(`scripts/release/${name}.mjs`).href);
const { buildFiles }: { buildFiles: (folder: string, version: string) => void } =
  await script('build-files');
const { checkPackage }: { checkPackage: (folder: string, name: string) => void } =
  await script('package-files');

const { version } = packageJson;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grounded-chat-release-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// PYTHON_HTTPX is Debian's Python with hatchling: see test/support/python-httpx.sh.
test.runIf(process.env.PYTHON_HTTPX)(
  'a release has the packages of both languages with what belongs inside, and their components',
  { timeout: 180_000 },
  () => {
    buildFiles(folder, version);
    expect(readdirSync(folder).sort()).toEqual([
      `grounded-chat-${version}.cdx.json`,
      `grounded-chat-client-${version}.tgz`,
      `grounded-chat-react-${version}.tgz`,
      `grounded_chat-${version}-py3-none-any.whl`,
      `grounded_chat-${version}.python.cdx.json`,
      `grounded_chat-${version}.tar.gz`,
    ]);
  },
);

test.each([
  ['LICENSE, README.md, dist/index.js, dist/index.d.ts', null],
  ['LICENSE, README.md, dist/index.js, dist/index.d.ts, .env', 'contains package/.env'],
  [
    'LICENSE, dist/index.js, dist/index.d.ts, dist/index.test.ts',
    'contains package/dist/index.test.ts',
  ],
  ['README.md, dist/index.js, dist/index.d.ts', 'lacks'],
  ['LICENSE, dist/index.d.ts', 'lacks'],
])('a package with %s: %s', (files, error) => {
  const root = mkdtempSync(join(folder, 'package-'));
  mkdirSync(join(root, 'package/dist'), { recursive: true });
  for (const file of files.split(', ')) writeFileSync(join(root, 'package', file), '');
  const name = 'grounded-chat-react-1.0.0.tgz';
  execFileSync('tar', ['-czf', name, 'package'], { cwd: root });
  const check = () => checkPackage(root, name);
  if (error === null) check();
  else expect(check).toThrow(error);
});
