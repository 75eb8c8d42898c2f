import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { installPackages } from '../support/programs/packed-packages.ts';
import { readProgram } from '../support/programs/readme-program.ts';
import { runProgram } from '../support/programs/run-program.ts';
import { type FaultProxy, startFaultProxy } from '../support/servers/fault-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

// Copies the programs from the READMEs of the clients into a project that uses the published form of the packages. The
// connection is cut while a program prints the first answer.

/** The folder into which `test/support/runtimes.sh` installs programs. */
const runtimes = process.env.RUNTIMES || undefined;
/** Path of a Python with httpx, of `test/support/python-tools.sh` or of `python-httpx.sh`. */
const python = process.env.PYTHON_TOOLS || process.env.PYTHON_HTTPX || undefined;

const deltas = [
  'Verloren “items” ',
  'are 🧳 ',
  'kept ',
  'for ',
  '90 ',
  'days ',
  'at the ',
  'reception.',
];
const followUp = 'Food is thrown away after a day.';
const printed = `${deltas.join('')}\nSources: Lost property. Confidence: 0.00.\n${followUp}\n`;

let models: OpenAiServer;
let service: TestService;
let proxy: FaultProxy;
let folder: string;
let site: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  const database = await sharedDatabase();
  service = await startTestService({ openAi: models.chatModelConfig, database });
  proxy = await startFaultProxy(service.url);
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-readme-'));
  site = join(folder, 'site');
  await mkdir(site);
  await installPackages(folder, site);
  // Deno finds packages by name only if the project lists them as dependencies.
  const dependencies = { '@grounded-chat/client': packageJson.version };
  await writeFile(join(site, 'package.json'), JSON.stringify({ dependencies }));
  await writeFile(join(site, 'ask.mjs'), await readProgram('packages/client/README.md', 'ask.mjs'));
  await writeFile(join(site, 'ask.py'), await readProgram('clients/python/README.md', 'ask.py'));
}, 180_000);
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program against the service. Cuts its connection when the program prints the first words of the answer. */
async function runCut(...command: string[]): Promise<string> {
  const key = await (await service.createTenant()).key();
  // Before the second answer, the service asks the model for a standalone question.
  models.script({ deltas, delayMs: 80 }, {}, { deltas: [followUp] });
  const env = {
    GROUNDED_CHAT_URL: proxy.url,
    GROUNDED_CHAT_KEY: key,
    PYTHONPATH: resolve('clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  let cuts = 0;
  const stdout = await runProgram({ command, cwd: site, env }, () => {
    cuts += 1;
    proxy.cut();
    proxy.restore();
  });
  expect(cuts).toBe(1);
  return stdout.replace(/Confidence: \d\.\d\d/, 'Confidence: 0.00');
}

describe('the program in the README of @grounded-chat/client prints every character once', () => {
  test("in this project's Node", async () => {
    expect(await runCut(process.execPath, 'ask.mjs')).toBe(printed);
  }, 60_000);

  test.skipIf(runtimes === undefined).each([
    ['Node 20.0', ['node']],
    ['Deno', ['deno', 'run', '--allow-net', '--allow-env']],
    ['Bun', ['bun']],
  ])(
    'in %s (needs RUNTIMES)',
    async (_name, [program = '', ...args]) => {
      expect(await runCut(join(runtimes ?? '', program), ...args, 'ask.mjs')).toBe(printed);
    },
    60_000,
  );
});

test.skipIf(python === undefined)(
  'the program in the README of the Python client prints every character once (needs PYTHON_TOOLS or PYTHON_HTTPX)',
  async () => {
    expect(await runCut(python ?? '', 'ask.py')).toBe(printed);
  },
  60_000,
);
