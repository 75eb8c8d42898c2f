import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertRulesPath, readPanels } from '../support/grafana.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type Prometheus, startPrometheus } from '../support/servers/prometheus-server.ts';
import { waitUntil } from '../support/wait-until.ts';

// Needs the Prometheus of Debian, which test/support/deployment-tools.sh installs.
describe.skipIf(!process.env.DEPLOYMENT_TOOLS)('Prometheus', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let prometheus: Prometheus;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-prometheus-'));
    service = await startServiceProcess({ DATA_DIR: dataDir });
    prometheus = await startPrometheus(service.url, alertRulesPath);
    await waitUntil(async () => {
      const result = await prometheus.query('count_over_time(grounded_chat_build_info[1m]) > 2');
      return result.length > 0;
    });
  }, 120_000);
  afterAll(async () => {
    await prometheus?.stop();
    await service?.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('accepts the alert rules', async () => {
    const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', alertRulesPath]);
    expect(stdout).toContain('SUCCESS');
    await waitUntil(async () => {
      const rules = await prometheus.rules();
      return rules.length > 0 && rules.every(({ health }) => health !== 'unknown');
    });
    const rules = await prometheus.rules();
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.filter(({ state }) => state !== 'inactive')).toEqual([]);
  });

  test('answers each query of the Grafana dashboard', async () => {
    const withoutResult: string[] = [];
    for (const { title, queries } of readPanels()) {
      const results = await Promise.all(queries.map((query) => prometheus.query(fill(query))));
      if (results.every((rows) => rows.length === 0)) withoutResult.push(title);
    }
    // An installation that has just started, without replicas, has nothing else to show.
    expect(withoutResult).toEqual([
      'First token',
      'Failed model calls',
      'Searches',
      'Runs of sources',
      'Loads of search indexes',
      'Read replicas',
      'Reads of replicas',
    ]);
  });

  test('notices a process that has ended, before the alert is due', async () => {
    await service.kill();
    await waitUntil(async () => {
      const down = (await prometheus.rules()).find(({ name }) => name === 'GroundedChatDown');
      return down?.state === 'pending';
    });
  });
});

/** Sets the variables as Grafana does. */
function fill(query: string): string {
  return query.replaceAll(/\$(?:job|instance)\b/g, '.*').replaceAll('$__rate_interval', '1m');
}
