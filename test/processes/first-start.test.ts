import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { fileFormats } from '../../src/extract/file-formats.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';

let dataDir: string;
let service: ServiceProcess;
let client: RestClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-first-start-'));
  service = await startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
  client = restClient(`${service.url}/api/v1`, service.key ?? '');
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function ask(message: string): Promise<string> {
  const response = await client.post('/chat', { message });
  return (await response.json()).content;
}

test('the first line of the log names the version', () => {
  const [line = ''] = service.errors().split('\n');
  expect(JSON.parse(line)).toMatchObject({ version: packageJson.version });
});

describe('on the built-in models, the first start answers about itself', () => {
  test('the suggested question is answered with every format that the service reads', async () => {
    const question = /"message": "([^"]+)"/.exec(service.printed)?.[1] ?? '';
    const answer = await ask(question);
    for (const { label } of Object.values(fileFormats)) expect(answer).toContain(label);
    expect(answer).toContain(`${Object.keys(fileFormats).length} formats`);
  });

  test.each([
    ['Can I upload Excel files?', /^Yes\. .*Excel/],
    ['Can I upload images?', /^Yes\. .*PNG/],
    ['What does PROCESSING mean?', /while it is read/],
    ['How do I revoke an API key?', /keys revoke/],
    ['How are API keys stored?', /SHA-256/],
    ['What happens if the documents do not contain the answer?', /says that it does not know/],
  ])('%s', async (question, expected) => {
    expect(await ask(question)).toMatch(expected);
  });
});
