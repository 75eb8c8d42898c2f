import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Path of the Python that `test/support/python-tools.sh` installs, with mypy. */
const pythonWithMypy = process.env.PYTHON_TOOLS || undefined;
/** Path of a Python with httpx and pytest: that one, or that of `test/support/python-httpx.sh`. */
const python = pythonWithMypy ?? (process.env.PYTHON_HTTPX || undefined);
const folder = fileURLToPath(new URL('../../clients/python/', import.meta.url));

describe.skipIf(python === undefined)(
  'the Python client (needs PYTHON_TOOLS or PYTHON_HTTPX)',
  {
    timeout: 300_000,
  },
  () => {
    let service: TestService;

    beforeAll(async () => {
      service = await sharedService();
    });

    const run = async (...args: string[]) => {
      const tenant = await service.createTenant();
      const settings = {
        GROUNDED_CHAT_URL: service.url,
        GROUNDED_CHAT_KEY: await tenant.key(),
        PYTHONPATH: folder,
        PYTHONDONTWRITEBYTECODE: '1',
      };
      const env = { PATH: process.env.PATH, ...settings };
      const running = promisify(execFile)(python ?? '', args, { env, cwd: folder });
      const { stdout } = await running.catch((error) => {
        throw new Error(`${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
      });
      return stdout;
    };

    test('is generated from the current OpenAPI document', async () => {
      expect(await run('scripts/generate.py', '--check')).toBe('');
    });

    test('is imported with all its modules, and every annotation names a type', async () => {
      const printed = await run('scripts/check.py');
      expect(printed).toMatch(/^compiled \d+ programs, imported \d+ modules of grounded_chat\n$/);
    });

    test.skipIf(pythonWithMypy === undefined)(
      'has types that pass mypy in strict mode (needs PYTHON_TOOLS)',
      async () => {
        expect(await run('-m', 'mypy', '--cache-dir=/dev/null')).toContain('Success');
      },
    );

    test('passes its tests against the service', async () => {
      const printed = await run('-m', 'pytest', '-q', '-W', 'error');
      expect(printed).toMatch(/^\d{2,} passed in/m);
    });

    test('its example answers', async () => {
      const printed = await run('../../examples/python/ask.py', 'Which files may I upload?');
      expect(printed).toMatch(/confidence \d/);
    });
  },
);
