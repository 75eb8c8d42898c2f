import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const script = pathToFileURL('scripts/verify/affected-tests.mjs').href;
const cursors = 'src/platform/events/cursors.ts';

let root: string;
let start: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'grounded-chat-affected-'));
  git('init', '--quiet');
  write({
    [cursors]: '',
    'src/dashboard/inbox/list.tsx': '',
    'src/server/service.ts': "import '../platform/events/cursors.ts';",
    'test/support/service.ts': "import '../../src/server/service.ts';",
    'test/processes/cursors-crash.test.ts': "import '../../src/platform/events/cursors.ts';",
    'test/processes/failover.test.ts': "import { start } from '../support/service.ts';",
    'test/dashboard/inbox-work.test.ts': '',
    'test/dashboard/usage.test.ts': '',
  });
  commit();
  write({ '.ci/base': git('rev-parse', 'HEAD') });
  commit();
  start = git('rev-parse', 'HEAD');
});
afterEach(() => git('reset', '--hard', '--quiet', start));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('selects a test that is itself changed', () => {
  change('test/dashboard/usage.test.ts');
  expect(select().chosen).toEqual(['test/dashboard/usage.test.ts']);
});

it('selects tests that import a changed file over at most one other', () => {
  change(cursors);
  expect(select().chosen).toEqual(['test/processes/cursors-crash.test.ts']);
  change('src/server/service.ts');
  expect(select().chosen).toContain('test/processes/failover.test.ts');
});

it('selects tests named after the folder of a changed file', () => {
  change('src/dashboard/inbox/list.tsx');
  expect(select().chosen).toEqual(['test/dashboard/inbox-work.test.ts']);
});

it('returns what does not fit in the time, the farthest first', () => {
  change('test/dashboard/usage.test.ts');
  change(cursors);
  expect(select({ maxSeconds: 30, fileSeconds: {} })).toMatchObject({
    chosen: ['test/dashboard/usage.test.ts'],
    left: ['test/processes/cursors-crash.test.ts'],
  });
});

it('selects nothing that the gate runs anyway', () => {
  change('test/dashboard/usage.test.ts');
  expect(select({ without: ['test/dashboard/usage.test.ts'] }).chosen).toEqual([]);
});

it('compares with the parent commit if the file names no commit of this history', () => {
  write({ '.ci/base': 'f'.repeat(40) });
  commit();
  change('test/dashboard/usage.test.ts');
  expect(select().base).toBe(git('rev-parse', 'HEAD~1'));
  expect(select().chosen).toEqual(['test/dashboard/usage.test.ts']);
});

interface Selection {
  readonly base: string;
  readonly chosen: readonly string[];
  readonly left: readonly string[];
}

/** Runs the script in a process of its own, whose current folder is the repository of the test. */
function select(options: object = {}): Selection {
  const given = { maxSeconds: 1_000, fileSeconds: {}, without: [], ...options };
  const program = `const { selectAffectedTests } = await import('${script}');
    console.log(JSON.stringify(selectAffectedTests(${JSON.stringify(given)})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

function change(path: string): void {
  write({ [path]: `${Math.random()}` });
  commit();
}

function commit(): void {
  git('add', '-A');
  git('commit', '--quiet', '-m', 'change');
}

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
