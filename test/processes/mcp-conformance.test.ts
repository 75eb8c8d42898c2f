import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isExtension, type McpRevision, notApplicable } from '../support/api/mcp-conformance.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  type AuthorizingProxy,
  startAuthorizingProxy,
} from '../support/servers/authorizing-proxy.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

// Runs two tools of the MCP project against `/mcp`: the conformance scenarios and the command line of the inspector.

/** The folder into which `test/support/conformance-tools.sh` installs programs. */
const tools = process.env.CONFORMANCE_TOOLS || undefined;

describe.skipIf(tools === undefined)(
  'MCP tools (need CONFORMANCE_TOOLS)',
  {
    timeout: 240_000,
  },
  () => {
    let service: TestService;
    let key: string;
    let proxy: AuthorizingProxy;

    beforeAll(async () => {
      service = await sharedService();
      const tenant = await service.createTenant();
      await addDocuments(service, tenant.projectId, { Visiting: 'The lighthouse opens at nine.' });
      key = await tenant.key();
      proxy = await startAuthorizingProxy(service.url, key);
    });
    afterAll(() => proxy?.close());

    test.each<[McpRevision, number]>([
      ['2025-11-25', 30],
      ['2026-07-28', 60],
    ])('every conformance check of revision %s that applies passes', async (revision, atLeast) => {
      const checks = await runScenarios(`${proxy.url}/mcp`, revision);
      const failed: Record<string, string[]> = {};
      for (const { scenario, id, status } of checks) {
        if (status !== 'FAILURE' || isExtension(scenario)) continue;
        failed[scenario] = [...(failed[scenario] ?? []), id];
      }
      expect(failed).toEqual(notApplicable(revision));
      const passed = checks.filter(({ status }) => status === 'SUCCESS');
      expect(passed.length).toBeGreaterThan(atLeast);
    });

    /**
     * Runs an MCP method with the command line of the inspector. The inspector fails if the schema of a tool is
     * invalid.
     */
    const inspect = async (...args: string[]) => {
      const server = [`${service.url}/mcp`, '--transport', 'http'];
      const header = ['--header', `Authorization: Bearer ${key}`];
      const printed = await run('mcp-inspector', [
        '--cli',
        ...server,
        ...header,
        '--method',
        ...args,
      ]);
      return JSON.parse(printed);
    };

    test('the inspector lists tools with portable schemas, reads a document and asks', async () => {
      const listed = await inspect('tools/list', '--strict');
      expect(listed.tools.map(({ name }: { name: string }) => name).sort()).toEqual([
        ...['add_document', 'ask', 'list_documents', 'read_document', 'request_human', 'search'],
      ]);
      const { resources } = await inspect('resources/list');
      const { contents } = await inspect('resources/read', '--uri', resources[0].uri);
      expect(contents[0].text).toContain('opens at nine');
      const message = 'message=When does the lighthouse open?';
      const call = ['--tool-name', 'ask', '--tool-arg', message];
      expect((await inspect('tools/call', ...call)).structuredContent).toMatchObject({
        content: expect.stringContaining('nine'),
        citations: [{ documentName: 'Visiting' }],
      });
    });
  },
);

interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
}

/**
 * Runs all scenarios of a revision and returns their checks. Ignores the exit code of the program, because some
 * scenarios do not apply.
 */
async function runScenarios(url: string, revision: string): Promise<Check[]> {
  const results = await mkdtemp(join(tmpdir(), 'grounded-chat-mcp-'));
  const options = ['--url', url, '--requirements', revision, '--output-dir', results];
  await run('conformance', ['server', ...options]).catch(() => {});
  const checks = await Promise.all(
    (await readdir(results)).map(async (folder) => {
      const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      const list: Check[] = JSON.parse(
        await readFile(join(results, folder, 'checks.json'), 'utf8'),
      );
      return list.map(({ id, status }) => ({ scenario, id, status }));
    }),
  );
  await rm(results, { recursive: true });
  return checks.flat();
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: tmpdir() };
  const options = { env, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(join(tools ?? '', program), args, options);
  return stdout;
}
