import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputDifferences } from '../support/compare-output.ts';
import { readShellBlocks, type ShellBlock } from '../support/markdown-blocks.ts';
import { documentationPages } from '../support/programs/documentation-pages.ts';
import { runShellBlocks } from '../support/programs/run-shell-blocks.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type ExampleSources, startExampleSources } from '../support/sources/example-sources.ts';

const pages = await Promise.all(
  documentationPages.map(async (path) => ({ path, blocks: await readShellBlocks(path) })),
);
const runnablePages = pages
  .map(({ path, blocks }) => ({ path, blocks: blocks.filter(isRunnable) }))
  .filter(({ blocks }) => blocks.length > 0);
const [readme, ...otherPages] = runnablePages;

/** Time limit for the commands of one page. It is far longer than necessary, because the machine may be busy. */
const pageTimeoutMs = 240_000;

let dataDir: string;
let service: ServiceProcess;
let sources: ExampleSources;
let receiverPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-docs-'));
  receiverPort = await freePort();
  sources = await startExampleSources();
  service = await startServiceProcess({
    ...{ DATA_DIR: dataDir, ALLOW_PRIVATE_WEBHOOKS: 'true' },
    ...sources.settings,
  });
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await sources?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * The blocks of a page run in one shell. All pages use the same service. README and the page on OpenAI's
 * clients use the demo project; each other page creates its own organization.
 */
describe('the blocks of a page work when they are pasted in order', () => {
  test('README.md, on a service that nobody has used', {
    timeout: pageTimeoutMs + 5_000,
  }, async () => {
    expect(readme?.path).toBe('README.md');
    await runPage(readme?.blocks ?? []);
  });

  test.concurrent.each(otherPages)(
    '$path',
    { timeout: pageTimeoutMs + 5_000 },
    ({ path, blocks }) =>
      runPage(path === 'docs/guides/sources.md' ? sources.withAddresses(blocks) : blocks),
  );
});

test('README.md shows what the first start prints', async () => {
  const text = await readFile('README.md', 'utf8');
  const shown = /^npm start\n```\n\n```text\n([\s\S]*?)```$/m.exec(text)?.[1] ?? '';
  const code = shown.replaceAll('http://127.0.0.1:3000', service.url);
  expect(outputDifferences({ language: 'text', code }, service.printed)).toEqual([]);
});

test('every block that is not run says why', () => {
  const skipped = pages.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ line, skipReason }) =>
      skipReason === null ? [] : [{ place: `${path}:${line}`, skipReason }],
    ),
  );
  for (const { place, skipReason } of skipped) expect(skipReason, place).toMatch(/\w{2} \w/);
  const runCount = runnablePages.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const lines = skipped.map(({ place, skipReason }) => `  ${place}  ${skipReason}`);
  process.stdout.write(
    `${runCount} blocks of ${runnablePages.length} pages are run, ${skipped.length} are not:\n${lines.join('\n')}\n`,
  );
});

async function runPage(blocks: readonly ShellBlock[]): Promise<void> {
  const { outputs, errors, exitCode } = await runShellBlocks(
    blocks.map((block) => ({ ...block, code: withPorts(block.code) })),
    { env: { DATA_DIR: dataDir, PORT: new URL(service.url).port }, timeoutMs: pageTimeoutMs },
  );
  const last = blocks[Math.max(0, outputs.length - 1)];
  expect(exitCode, `${last?.code}\n${outputs.at(-1)}\n${errors}`).toBe(0);
  for (const [index, { output, code }] of blocks.entries()) {
    const actual = outputs[index] ?? '';
    const differences = output === null ? [] : outputDifferences(output, actual);
    expect(differences, `of the output of:\n${code}`).toEqual([]);
  }
}

function isRunnable({ skipReason }: ShellBlock): boolean {
  return skipReason === null;
}

/** Replaces the fixed ports in a page, because other programs on this machine may use these ports. */
function withPorts(code: string): string {
  return code
    .replaceAll('http://127.0.0.1:3000', service.url)
    .replaceAll('127.0.0.1:4400', `127.0.0.1:${receiverPort}`);
}
