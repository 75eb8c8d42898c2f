import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../deploy/grafana/', import.meta.url);

export const alertRulesPath = fileURLToPath(new URL('alerts.yaml', folder));

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Returns the panels of the Grafana dashboard with their queries, without rows. */
export function readPanels(): { readonly title: string; readonly queries: readonly string[] }[] {
  const { panels } = JSON.parse(readFileSync(new URL('dashboard.json', folder), 'utf8'));
  return (panels as Panel[])
    .filter(({ type }) => type !== 'row')
    .map(({ title, targets = [] }) => ({ title, queries: targets.map(({ expr }) => expr) }));
}
