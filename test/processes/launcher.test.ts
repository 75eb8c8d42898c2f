import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Folder of a project with the real launcher, a stand-in for npm, and a lock file with one dependency. */
let folder: string;
let project: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher test '));
  project = join(folder, 'a project');
  cpSync('scripts', join(project, 'scripts'), { recursive: true });
  cpSync('test/fixtures/launcher', folder, { recursive: true });
  write('package.json', { type: 'module', scripts: {} });
  write('package-lock.json', lockOf({ 'node_modules/one': { version: '1.0.0' } }));
  write('supabase/migrations/1_first.sql', '');
  write('src/main.ts', `console.log('started ' + process.argv.length);`);
  write('src/cli/cli.ts', `console.log(JSON.stringify(process.argv.slice(2)));`);
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

describe('dependencies', () => {
  it('are installed once, on the first launch', async () => {
    expect(await launch('start')).toMatchObject({ code: 0, stdout: 'started 2\n' });
    expect(await launch('start')).toMatchObject({ code: 0, stdout: 'started 2\n', stderr: '' });
    expect(npmCalls()).toEqual([
      'ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --no-update-notifier',
    ]);
  });

  it('are installed again when the lock file names another version', async () => {
    await launch('start');
    write('package-lock.json', lockOf({ 'node_modules/one': { version: '1.0.1' } }));
    await launch('start');
    expect(npmCalls()).toHaveLength(2);
  });

  it('are installed again when a package was removed from the lock file', async () => {
    await launch('start');
    write('package-lock.json', lockOf({}));
    await launch('start');
    expect(npmCalls()).toHaveLength(2);
  });

  it('are installed again after an interrupted install', async () => {
    await launch('start');
    rmSync(join(project, 'node_modules/.package-lock.json'));
    await launch('start');
    expect(npmCalls()).toHaveLength(2);
  });

  it('are installed again when the folder was copied from another platform', async () => {
    await launch('start');
    const foreign = { version: '1.0.0', optional: true, os: ['aix'] };
    write('package-lock.json', lockOf({ 'node_modules/one': foreign }));
    write('node_modules/.package-lock.json', lockOf({ 'node_modules/one': foreign }));
    await launch('start');
    expect(npmCalls()).toHaveLength(2);
  });

  it('may lack optional packages that npm skipped', async () => {
    await launch('start');
    const installed = { 'node_modules/one': { version: '1.0.0' } };
    const optional = { version: '2.0.0', optional: true, os: ['aix'] };
    write('package-lock.json', lockOf({ ...installed, 'node_modules/two': optional }));
    await launch('start');
    expect(npmCalls()).toHaveLength(1);
  });

  it('are installed again when an optional package of the project is missing', async () => {
    await launch('start');
    const optionalDependencies = { two: '2.0.0' };
    const packages = {
      ...{ '': { optionalDependencies }, 'node_modules/one': { version: '1.0.0' } },
      'node_modules/two': { version: '2.0.0', optional: true },
    };
    write('package-lock.json', lockOf(packages));
    await launch('start');
    expect(npmCalls()).toHaveLength(2);
  });

  it('are installed by one of two concurrent launches; the other waits, and both start', async () => {
    const both = await Promise.all([
      launch('start', { FAKE_NPM_MS: '700' }),
      launch('start', { FAKE_NPM_MS: '700' }),
    ]);
    expect(both.map(({ stdout }) => stdout)).toEqual(['started 2\n', 'started 2\n']);
    expect(both.map(({ stderr }) => stderr).join('')).toContain('another launch is installing');
    expect(npmCalls()).toHaveLength(1);
  });

  it('do not wait for a launch that was killed', async () => {
    const dead = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => dead.once('exit', resolve));
    write('.node/launch.lock', String(dead.pid));
    expect(await launch('start')).toMatchObject({ code: 0, stdout: 'started 2\n' });
  });

  it('are installed without npm output, unless npm fails; then all of it is printed', async () => {
    const failed = await launch('start', { FAKE_NPM_FAILS: 'true' });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('npm error no such registry');
    const { stderr } = await launch('start');
    expect(stderr).not.toContain('npm warn');
    expect(stderr).toMatch(/installing dependencies .*\n.*installed dependencies in \d+ s/);
  });

  it('leave no lock and no npm process when the launch is stopped', async () => {
    const child = begin('start', { FAKE_NPM_MS: '60000' });
    await waitForOutput(child.stderr, 'installing dependencies');
    await until(() => npmCalls().length === 1);
    child.process.kill('SIGTERM');
    expect((await child.end).code).toBe(143);
    expect(isAlive(Number(readFileSync(join(folder, 'npm.pid'), 'utf8')))).toBe(false);
    expect(await launch('start')).toMatchObject({
      code: 0,
      stderr: expect.not.stringMatching('another'),
    });
  });
});

describe('Node', () => {
  it('is downloaded once for the project when the current version is too old', async () => {
    const old = `data:text/javascript,${encodeURIComponent(
      `if (!process.env.FAKE_DONE) {
        process.env.FAKE_DONE = 'true';
        Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } });
      }`,
    )}`;
    const env = { NODE_OPTIONS: `--import=${old}` };
    const first = await launch('start', env);
    expect(first).toMatchObject({ code: 0, stdout: 'started 2\n' });
    expect(first.stderr).toContain('Node 20.11.0 is too old');
    expect(await launch('start', env)).toMatchObject({ code: 0, stderr: '' });
    expect(npmCalls()[0]).toMatch(/^install --no-save node-[\w-]+@22\.23\.2 --ignore-scripts/);
    expect(npmCalls()).toHaveLength(2);
  });
});

describe('generated code', () => {
  it('is regenerated only when its source changes', async () => {
    write('supabase/schema.prisma', 'model A {}');
    write('supabase/prisma.config.ts', '');
    expect((await launch('start')).stderr).toContain('generating the database client');
    expect((await launch('start')).stderr).toBe('');
    write('supabase/schema.prisma', 'model B {}');
    expect((await launch('start')).stderr).toContain('generating the database client');
  });

  it("that cannot be generated stops the launch and prints the generator's output", async () => {
    write('supabase/schema.prisma', 'broken');
    write('supabase/prisma.config.ts', '');
    const failed = await launch('start');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('cannot read the schema');
  });
});

describe('the bundle', () => {
  it('is made for the start and the command line, again only after a change', async () => {
    expect((await launch('exec', {}, ['true'])).stderr).not.toContain('bundle');
    expect((await launch('start')).stderr).toContain('generating the bundle of the service');
    expect(await launch('start')).toMatchObject({ stdout: 'started 2\n', stderr: '' });
    expect(await launch('cli')).toMatchObject({ stdout: '[]\n', stderr: '' });
    write('src/main.ts', `console.log('changed');`);
    expect((await launch('start')).stdout).toBe('changed\n');
  });

  it('gives modules their own URLs, and contains the files that they read', async () => {
    write('src/a/page.html', 'a page');
    write('src/a/page.ts', `export const page = new URL('./page.html', import.meta.url);`);
    write(
      'src/main.ts',
      `import { readFileSync } from 'node:fs';
      import { page } from './a/page.ts';
      console.log(page.pathname.endsWith('/dist/src/a/page.html'), readFileSync(page, 'utf8'));`,
    );
    expect((await launch('start')).stdout).toBe('true a page\n');
  });

  it('that cannot be made stops the launch', async () => {
    write('src/main.ts', 'this is no code');
    const failed = await launch('start');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('src/main.ts:1');
  });
});

describe('the command', () => {
  it('receives its arguments unchanged and has standard output to itself', async () => {
    const args = ['keys', '--name', 'a "quoted" name', '--json'];
    const { stdout } = await launch('cli', {}, args);
    expect(JSON.parse(stdout)).toEqual(args);
  });

  it('returns its exit code', async () => {
    write('src/cli/cli.ts', 'process.exitCode = 7;');
    expect((await launch('cli')).code).toBe(7);
  });

  it('reads .env if the file exists', async () => {
    write('.env', 'GREETING=hello\n');
    write('src/cli/cli.ts', 'console.log(process.env.GREETING);');
    expect((await launch('cli')).stdout).toBe('hello\n');
  });

  const settings = 'FIRST=one\r\n# Größe\r\nSECOND="zwei ü"\r\nTHIRD=file\r\n';
  const utf16 = Buffer.from(settings, 'utf16le');
  const mark = Buffer.from([0xff, 0xfe]);
  it.each([
    ['UTF-8', Buffer.from(settings)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${settings}`)],
    ['UTF-16', Buffer.concat([mark, utf16])],
    ['UTF-16 without a byte order mark', utf16],
    ['UTF-16, big endian', Buffer.concat([mark, utf16]).swap16()],
  ])('reads .env in %s, and the environment has precedence', async (_, bytes) => {
    writeFileSync(join(project, '.env'), bytes);
    write(
      'src/cli/cli.ts',
      'const { FIRST, SECOND, THIRD } = process.env; console.log([FIRST, SECOND, THIRD].join());',
    );
    expect(await launch('cli', { THIRD: 'shell' })).toMatchObject({
      ...{ code: 0, stdout: 'one,zwei ü,shell\n' },
    });
  });

  it('fails with a message if .env is not text', async () => {
    writeFileSync(join(project, '.env'), Buffer.from(`A=1\0\0\0`));
    const { code, stderr } = await launch('cli');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The file .env is not text in UTF-8. Save it with the encoding UTF-8.',
    );
  });

  it('is rejected with the list of commands if it is unknown', async () => {
    const { code, stderr } = await launch('sing');
    expect(code).toBe(1);
    expect(stderr).toContain('start|dev|cli|verify|check|build|benchmark|build-packages|exec');
  });
});

describe('the service', () => {
  beforeEach(() => {
    write(
      'src/main.ts',
      `const timer = setInterval(() => {}, 1000);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => {
          console.log('stopping');
          clearInterval(timer);
        });
      }
      console.log('pid ' + process.pid);`,
    );
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly with exit code 0 on %s',
    async (signal) => {
      const child = begin('start');
      const pid = await servicePid(child);
      child.process.kill(signal);
      expect(await child.end).toMatchObject({ code: 0, stdout: `pid ${pid}\nstopping\n` });
      expect(isAlive(pid)).toBe(false);
    },
  );

  it('stops when the launcher is killed', async () => {
    const child = begin('start');
    const pid = await servicePid(child);
    child.process.kill('SIGKILL');
    await until(() => !isAlive(pid));
    expect((await child.end).stdout).toContain('stopping');
  });
});

function begin(command: string, env: NodeJS.ProcessEnv = {}, args: string[] = []) {
  const child = spawn(process.execPath, [join(project, 'scripts/run.mjs'), command, ...args], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      npm_execpath: join(folder, 'npm-cli.js'),
      REAL_PACKAGES: resolve('node_modules'),
      ...env,
    },
  });
  running.add(child);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const end = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.once('close', (code) => {
      running.delete(child);
      done({ code, stdout: stdout.text(), stderr: stderr.text() });
    });
  });
  return { process: child, stdout, stderr, end };
}

function launch(command: string, env: NodeJS.ProcessEnv = {}, args: string[] = []) {
  return begin(command, env, args).end;
}

type Output = ReturnType<typeof collect>;

function collect(stream: NodeJS.ReadableStream) {
  const parts: string[] = [];
  stream.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  return { text: () => parts.join('') };
}

async function waitForOutput(output: Output, text: string): Promise<void> {
  await until(() => output.text().includes(text));
}

async function servicePid(child: ReturnType<typeof begin>): Promise<number> {
  await waitForOutput(child.stdout, 'pid ');
  return Number(/pid (\d+)/.exec(child.stdout.text())?.[1]);
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 15_000, interval: 20 }).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function npmCalls(): string[] {
  try {
    return readFileSync(join(folder, 'npm-calls.txt'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

function lockOf(packages: object): object {
  return { lockfileVersion: 3, packages: { '': {}, ...packages } };
}

function write(path: string, content: string | object): void {
  const target = join(project, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
}
