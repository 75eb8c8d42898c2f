import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const workflow = `name: Example
on:
  push:
    branches: [main]
permissions:
  contents: read
concurrency:
  group: example
jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - id: version
        run: echo "number=1" >> "$GITHUB_OUTPUT"
      - run: echo \${{ steps.version.outputs.number }}
`;

const broken = {
  'invalid YAML': ['jobs:', 'jobs', ''],
  'an unknown key': ['runs-on:', 'run-on:', "Unexpected value 'run-on'"],
  'an unknown trigger': ['push:', 'pushed:', "Unexpected value 'pushed'"],
  'an unknown permission': ['read', 'reed', "Unexpected value 'reed'"],
  'an unknown name in an expression': ['steps.version', 'step.version', "named-value: 'step'"],
  'a dependency on no job': ['runs-on', 'needs: [lint]\n    runs-on', ''],
  'an action by its tag': [/@\w+ # v7.0.1/, '@v7', 'name the full commit'],
  'a commit without its version': [' # v7.0.1', '', 'name the full commit'],
  'a job without a time limit': [/timeout.*\n/, '\n', 'job build has no timeout-minutes'],
  'no permissions': [/permissions:\n.*\n/, '', 'has no permissions'],
  'no concurrency': [/concurrency:\n.*\n/, '', 'has no concurrency'],
  'a step that does not exist': ['id: version', 'id: number', 'reads steps.version, which'],
} satisfies Record<string, [string | RegExp, string, string]>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workflows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function check(...args: string[]) {
  const script = ['--import', 'tsx', 'scripts/check-workflows.mjs', ...args];
  const { status, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
  return { status, stderr };
}

describe('the check of workflows', () => {
  test('accepts ours', () => {
    expect(check()).toEqual({ status: 0, stderr: '' });
  });

  test('accepts a valid one', () => {
    writeFileSync(join(folder, 'valid.yml'), workflow);
    expect(check(folder)).toEqual({ status: 0, stderr: '' });
  });

  test(`refuses ${Object.keys(broken).join(', ')}, each by the name of its file`, () => {
    for (const [name, [valid, replacement]] of Object.entries(broken)) {
      writeFileSync(join(folder, `${name}.yml`), workflow.replace(valid, replacement));
    }
    const { status, stderr } = check(folder);
    expect(status).toBe(1);
    const lines = stderr.split('\n');
    for (const [name, [, , message]] of Object.entries(broken)) {
      const found = lines.filter((line) => line.includes(`${name}.yml`)).join('\n');
      expect(found, name).not.toBe('');
      expect(found, name).toContain(message);
    }
    expect(stderr).not.toContain(join(folder, 'valid.yml'));
  });
});
