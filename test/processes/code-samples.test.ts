import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import openApi from '../../src/rest/openapi.json' with { type: 'json' };
import { findOperation } from '../support/api/openapi-document.ts';
import { compileResponseValidator } from '../support/api/openapi-schema.ts';
import { restClient } from '../support/api/rest-client.ts';
import { sharedService } from '../support/shared-service.ts';

/** For each language, the file name of a sample and the command that runs it. */
const languages: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  Shell: ['sample.sh', ['bash']],
  TypeScript: ['sample.mts', [process.execPath, '--import', 'tsx']],
  Python: ['sample.py', ['python3']],
};

interface Sampled {
  readonly operationId: string;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

const paths: Readonly<Record<string, Readonly<Record<string, Sampled>>>> = openApi.paths;
const samples = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { 'x-codeSamples': given = [] }]) =>
    given.map(({ lang, source }) => ({ method: method.toUpperCase(), path, lang, source })),
  ),
);

let folder: string;
let env: Readonly<Record<string, string | undefined>>;
let conversationId: string;

beforeAll(async () => {
  const service = await sharedService();
  const key = await (await service.createTenant()).key();
  const api = `${service.url}/api/v1`;
  env = { PATH: process.env.PATH, GROUNDED_CHAT_URL: service.url, GROUNDED_CHAT_KEY: key };
  const reply = await restClient(api, key).post('/chat', { message: 'Where is my key?' });
  conversationId = (await reply.json()).conversationId;
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-samples-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the main operations have samples in each language', () => {
  const count = new Set(samples.map(({ method, path }) => `${method} ${path}`)).size;
  expect(count).toBeGreaterThan(5);
  expect(samples).toHaveLength(count * Object.keys(languages).length);
});

describe.each(Object.entries(languages))('%s', (language, [file, [program = '', ...args]]) => {
  const written = samples.filter(({ lang }) => lang === language);
  test.skipIf(!isInstalled(program)).each(written)('$method $path', async (sample) => {
    const { method, path, source } = sample;
    const script = join(folder, file);
    await writeFile(script, source.replace('01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11', conversationId));
    const { stdout } = await promisify(execFile)(program, [...args, script], { env });
    const { responses = {} } = findOperation(method, path) ?? {};
    const schemas = ['200', '201'].flatMap(
      (status) => responses[status]?.content['application/json'] ?? [],
    );
    const problems = schemas.map((schema) => compileResponseValidator(schema)(JSON.parse(stdout)));
    expect(problems).toContainEqual([]);
  });
});

function isInstalled(program: string): boolean {
  try {
    return execFileSync(program, ['--version']).length > 0;
  } catch {
    return false;
  }
}
