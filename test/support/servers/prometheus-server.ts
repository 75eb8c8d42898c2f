import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.ts';
import { freePort } from './free-port.ts';

/** A real Prometheus that reads the metrics of one service each second, as the job `grounded-chat`. */
export interface Prometheus {
  /** Returns the series of an instant query. Throws if Prometheus refuses the query. */
  query(expression: string): Promise<readonly object[]>;
  rules(): Promise<readonly Rule[]>;
  stop(): Promise<void>;
}

export interface Rule {
  readonly name: string;
  /** `inactive`, `pending` or `firing`. */
  readonly state: string;
  /** `ok`, `err`, or `unknown` before the first evaluation. */
  readonly health: string;
}

/** Starts Debian's Prometheus with the alert rules of a file. */
export async function startPrometheus(serviceUrl: string, rulesPath: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rulesPath],
    scrape_configs: [
      {
        job_name: 'grounded-chat',
        static_configs: [{ targets: [new URL(serviceUrl).host] }],
      },
    ],
  };
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const read = async (path: string) => {
    const response = await fetch(`http://${address}/api/v1/${path}`);
    const { status, data, error } = await response.json();
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  };
  const prometheus: Prometheus = {
    query: async (text) => (await read(`query?query=${encodeURIComponent(text)}`)).result,
    rules: async () =>
      (await read('rules')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules),
    async stop() {
      const exited = once(child, 'exit');
      if (child.kill()) await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended:\n${output}`);
    return fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return prometheus;
}
