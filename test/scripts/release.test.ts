import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

// The scripts are JavaScript without types, so they are imported by their address.
const script = (name: string) => import(pathToFileURL(`scripts/release/${name}.mjs`).href);
const {
  dateChangelog,
}: { dateChangelog: (text: string, version: string, date: string) => string } =
  await script('date-changelog');
const { pythonSbom }: { pythonSbom: (pyproject: string, version: string) => Sbom } =
  await script('python-sbom');
const { filesWithVersion, isNewer, setVersion }: Versions = await script('set-version');

interface Sbom {
  readonly components: readonly { purl: string; properties: readonly { value: string }[] }[];
}
interface Versions {
  readonly filesWithVersion: () => readonly string[];
  readonly isNewer: (version: string, than: string) => boolean;
  readonly setVersion: (root: string, from: string, to: string) => void;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grounded-chat-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the version', () => {
  test('is replaced in every place that has it', () => {
    const files = filesWithVersion();
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(file, join(folder, file));
    }
    setVersion(folder, packageJson.version, '77.8.9');
    for (const file of files) {
      const old = readFileSync(file, 'utf8');
      const changed = readFileSync(join(folder, file), 'utf8');
      expect(changed).toContain('77.8.9');
      expect(changed.replaceAll('77.8.9', packageJson.version)).toBe(old);
    }
    expect(() => setVersion(folder, packageJson.version, '77.9.0')).toThrow('does not contain');
  });

  test('is nowhere else in a page or an example that users copy', () => {
    const found = execFileSync(
      'git',
      ['grep', '--files-with-matches', '--fixed-strings', packageJson.version, '--', ...copied],
      { encoding: 'utf8' },
    );
    const known = filesWithVersion();
    // These name releases of the past.
    const history = ['docs/guides/operations.md', 'docs/reference/versioning.md'];
    const others = found
      .trim()
      .split('\n')
      .filter((file) => !known.includes(file));
    expect(others.filter((file) => !history.includes(file))).toEqual([]);
  });

  test.each([
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '0.99.9', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s is newer than %s: %s', (version, than, expected) => {
    expect(isNewer(version, than)).toBe(expected);
  });
});

const copied = [
  'README.md',
  'docs',
  'examples',
  'deploy',
  'packages',
  'clients',
  'compose.yaml',
  ':!*CHANGELOG.md',
];

describe('a changelog', () => {
  const date = '2026-12-01';

  test('gets a dated section with the unreleased changes, and an empty section above it', () => {
    const text =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-11-27\n\n- First.\n';
    expect(dateChangelog(text, '0.2.0', date)).toBe(
      '# Changelog\n\n## [Unreleased]\n\nNothing yet.\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A.\n\n' +
        '## [0.1.0] - 2026-11-27\n\n- First.\n',
    );
  });

  test('without changes says so', () => {
    const text = '# Changelog\n\n## [Unreleased]\n\nNothing yet.\n';
    expect(dateChangelog(text, '0.2.0', date)).toContain(
      '## [0.2.0] - 2026-12-01\n\nNo changes.\n',
    );
  });

  test('without an unreleased section, or with an empty one, is refused', () => {
    expect(() => dateChangelog('# Changelog\n', '0.2.0', date)).toThrow('There is no');
    expect(() => dateChangelog('## [Unreleased]\n\n## [0.1.0]\n', '0.2.0', date)).toThrow('empty');
  });

  test.each([
    'CHANGELOG.md',
    'packages/client/CHANGELOG.md',
    'packages/react/CHANGELOG.md',
    'clients/python/CHANGELOG.md',
  ])('%s can be released', (file) => {
    const released = dateChangelog(readFileSync(file, 'utf8'), '99.0.0', date);
    expect(released).toContain(`## [99.0.0] - ${date}\n\n`);
  });
});

test('the list of components of the Python client has its dependencies with their ranges', () => {
  const { components } = pythonSbom(readFileSync('clients/python/pyproject.toml', 'utf8'), '0.2.0');
  expect(components.map(({ purl }) => purl)).toEqual([
    'pkg:pypi/httpx',
    'pkg:pypi/typing-extensions',
  ]);
  expect(components[0]?.properties[0]?.value).toBe('httpx>=0.23.3,<1');
});

describe('npm run release', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [resolve('scripts/release/release.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });

  beforeEach(() => {
    git('init', '--quiet');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.com');
    writeFileSync(join(folder, 'package.json'), '{"version": "0.1.0"}\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'First');
  });
  const passGate = () => writeFileSync(join(folder, '.git/gate-passed'), git('rev-parse', 'HEAD'));

  test.each([
    ['a tree with changes', () => writeFileSync(join(folder, 'new'), ''), ['0.2.0'], 'has changes'],
    ['a commit on which the gate has not passed', () => {}, ['0.2.0'], 'gate has not passed'],
    ['an older version', passGate, ['0.0.9'], 'newer than 0.1.0'],
    ['a version of another form', passGate, ['v0.2'], 'newer than 0.1.0'],
    ['several versions', passGate, ['0.2.0', '0.3.0'], 'Usage'],
    [
      'a version that has a tag',
      () => {
        git('tag', 'v0.2.0');
        passGate();
      },
      ['0.2.0'],
      'There is a tag v0.2.0',
    ],
  ])('refuses %s', (_name, prepare, args, message) => {
    prepare();
    const before = git('status', '--porcelain');
    const { status, stderr } = release(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(1);
    expect(git('status', '--porcelain')).toBe(before);
  });

  test('that fails in the middle leaves the files as they were', () => {
    passGate();
    const { status, stderr } = release('0.2.0');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('package') });
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });
});
