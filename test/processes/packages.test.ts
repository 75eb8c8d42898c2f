import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackages } from '../support/programs/packed-packages.ts';
import { readProgram } from '../support/programs/readme-program.ts';

const run = promisify(execFile);
const timeout = 180_000;

let folder: string;
let site: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-packages-'));
  site = join(folder, 'site');
  await installPackages(folder, site);
  await mkdir(join(site, 'node_modules', '@types'));
  for (const name of ['react', 'react-dom', '@types/react', '@types/react-dom', 'csstype']) {
    await symlink(resolve('node_modules', name), join(site, 'node_modules', name), 'dir');
  }
}, timeout);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the client has at most 10 kB, minified and compressed', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(site, 'node_modules/@grounded-chat/client/dist/index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  process.stdout.write(`@grounded-chat/client: ${bytes} bytes\n`);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(10_000);
});

test('the React package imports only React and the client', async () => {
  const code = await readFile(
    join(site, 'node_modules/@grounded-chat/react/dist/index.js'),
    'utf8',
  );
  const imported = [...code.matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
  expect([...new Set(imported)].sort()).toEqual([
    '@grounded-chat/client',
    'react',
    'react/jsx-runtime',
  ]);
});

test('the client has no dependencies and imports nothing', async () => {
  const root = join(site, 'node_modules/@grounded-chat/client');
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  expect(await readFile(join(root, 'dist/index.js'), 'utf8')).not.toMatch(/^import |require\(/m);
});

describe.each([
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
])('a strict project with the module resolution %s', (moduleResolution, module) => {
  test('knows the types of the packages', { timeout }, async () => {
    const project = join(site, moduleResolution);
    await mkdir(project, { recursive: true });
    const options = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const lib = ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'];
    const compilerOptions = {
      ...options,
      module,
      moduleResolution,
      target: 'es2022',
      lib,
      types: [],
      noEmit: true,
      jsx: 'react-jsx',
    };
    const config = {
      compilerOptions,
      files: ['program.ts', 'ask.mts', 'support.tsx', ...examples.map(basenameOf), 'node.d.ts'],
    };
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(project, 'program.ts'), program);
    const ask = await readProgram('packages/client/README.md', 'ask.mjs');
    await writeFile(join(project, 'ask.mts'), ask);
    const support = await readProgram('packages/react/README.md', 'support.tsx');
    await writeFile(join(project, 'support.tsx'), support);
    for (const path of examples) await copyFile(path, join(project, basenameOf(path)));
    await writeFile(
      join(project, 'node.d.ts'),
      'declare const process: { env: Record<string, string>; exitCode: number; stdout: { write(text: string): void } };',
    );
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch((error) => error);
    expect(stdout).toBe('');
  });
});

const program = `
import { createClient, verifyWebhook, type WebhookEvent } from '@grounded-chat/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'sk_…' });
for await (const event of client.chat.stream({ message: 'Hello' })) {
  if (event.type === 'delta') event.text satisfies string;
  // @ts-expect-error errors are thrown
  if (event.type === 'error') throw event;
}
const { confidence } = await client.chat({ message: 'Hello' });
confidence satisfies number;
for await (const { status } of client.documents.list({ tag: 'hr' })) status satisfies 'READY' | 'FAILED' | 'PROCESSING';
// @ts-expect-error the content is missing
await client.documents.create({ name: 'Hours' });
// @ts-expect-error there is no such status
await client.handoffs.list({ status: 'OPEN' });
const event: WebhookEvent = await verifyWebhook({ body: '', headers: new Headers() }, { secret: 'whsec_…' });
if (event.type === 'human.requested') event.data.conversationId satisfies string;
`;

const examples = ['page.tsx', 'layout.tsx', 'support/api/v1/[...path]/route.ts'].map(
  (path) => `examples/next/app/${path}`,
);

function basenameOf(path: string): string {
  return path.replace(/.*\//, '');
}
