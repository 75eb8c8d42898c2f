import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { addDocuments } from '../support/knowledge.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

// Programs that were written for OpenAI run without changes: LangChain, Vercel's AI SDK and OpenAI's client for Python.

/** The folder into which `test/support/conformance-tools.sh` installs programs. */
const tools = process.env.CONFORMANCE_TOOLS || undefined;
/** Path of the Python that `test/support/python-tools.sh` installs. */
const python = process.env.PYTHON_TOOLS || undefined;
const folder = fileURLToPath(new URL('../fixtures/openai-apps/', import.meta.url));

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await sharedService();
  const tenant = await service.createTenant();
  key = await tenant.key();
  await addDocuments(service, tenant.projectId, { Tower: 'The lighthouse opens at nine.' });
});

const expected = {
  content: expect.stringContaining('nine'),
  streamed: expect.stringContaining('nine'),
  refusal: 400,
};

test.skipIf(tools === undefined).each(['langchain', 'ai-sdk'])(
  'a program with %s answers, streams and shows that tools are refused (needs CONFORMANCE_TOOLS)',
  async (name) => {
    const program = await readFile(`${folder}${name}.mjs`, 'utf8');
    const args = ['--input-type=module', '--eval', program];
    expect(await run(process.execPath, args, dirname(tools ?? ''))).toEqual(expected);
  },
  60_000,
);

test.skipIf(python === undefined)(
  'a program with OpenAI’s client for Python does so, too (needs PYTHON_TOOLS)',
  async () => {
    expect(await run(python ?? '', [`${folder}openai_client.py`], folder)).toEqual(expected);
  },
  60_000,
);

/** Runs a program. If the program is given as code and not as a file, Node looks for its packages in `cwd`. */
async function run(program: string, args: readonly string[], cwd: string): Promise<unknown> {
  const settings = { OPENAI_BASE_URL: `${service.url}/v1`, OPENAI_API_KEY: key };
  const QUESTION = 'When does the lighthouse open?';
  const env = { PATH: process.env.PATH, ...settings, QUESTION };
  const { stdout } = await promisify(execFile)(program, args, { cwd, env });
  return JSON.parse(stdout);
}
