import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertRulesPath, readPanels } from '../support/grafana.ts';
import { parseScrape } from '../support/prometheus.ts';
import { sharedService } from '../support/shared-service.ts';

/** Metrics that Prometheus adds to each target. */
const ownMetrics = ['up'];

test('the Grafana dashboard and the alert rules name metrics of the service only, and each of its own', async () => {
  const service = await sharedService();
  const { families } = parseScrape(await (await fetch(`${service.url}/metrics`)).text());
  const queries = readPanels().flatMap((panel) => panel.queries);
  const texts = [...queries, readFileSync(alertRulesPath, 'utf8').replace(/^\s*#.*$/gm, '')];
  const named = new Set(texts.flatMap(metricsIn));
  expect([...named].filter((name) => !families.has(name) && !ownMetrics.includes(name))).toEqual(
    [],
  );

  const shown = new Set(queries.flatMap(metricsIn));
  const ours = [...families.keys()].filter((name) => name.startsWith('grounded_chat_'));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

/** Returns the names before `{`, without the suffix of a histogram's samples. */
function metricsIn(query: string): string[] {
  return [...query.matchAll(/\b([a-z][a-z0-9_]*)\{/g)].map(([, name = '']) =>
    name.replace(/_bucket$/, ''),
  );
}
