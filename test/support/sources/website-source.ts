import type { SourceConfigInput } from '../../../src/domain/sources/source-config.ts';
import {
  createSource,
  type SourceRun,
  type SourceWithRun,
} from '../../../src/domain/sources/sources.ts';
import type { Website } from '../servers/website.ts';
import type { Tenant, TestService } from '../service.ts';
import { reasonsOf, runSource, type SyncOptions } from './source-runs.ts';

/** Sources in a test's project. They read the test's website. */
export interface WebsiteSources {
  add(config?: SourceConfigInput): Promise<SourceWithRun>;
  /** Runs the source once. Returns the finished run and the sorted paths that it requested. */
  sync(
    id: string,
    options?: SyncOptions,
  ): Promise<
    SourceRun & { readonly paths: string[]; readonly userAgents: ReadonlySet<string | undefined> }
  >;
  /** Returns the names of the project's documents, by path. */
  documents(): Promise<Record<string, string>>;
  /** Returns the refusal reasons of a run, by path. */
  reasons(run: SourceRun): Record<string, string>;
}

export function websiteSources(
  { system }: Pick<TestService, 'system'>,
  { projectId }: Pick<Tenant, 'projectId'>,
  site: Website,
): WebsiteSources {
  const pathOf = (url: string | null) => url?.replace(site.url, '') ?? '';
  return {
    add: (config = {}) =>
      createSource(system, {
        ...{ projectId, kind: 'WEBSITE', name: 'Site' },
        config: { startUrls: [`${site.url}/`], requestsPerSecond: 100, ...config },
      }),
    async sync(id, options) {
      site.takeRequests();
      const run = await runSource({ system }, id, options);
      const requests = site.takeRequests();
      const paths = requests.map(({ path }) => path).sort();
      const userAgents = new Set(requests.map(({ headers }) => headers['user-agent']));
      return { ...run, paths, userAgents };
    },
    async documents() {
      const rows = await system.db.document.findMany({
        where: { projectId },
        orderBy: { externalId: 'asc' },
      });
      return Object.fromEntries(rows.map(({ externalId, name }) => [pathOf(externalId), name]));
    },
    reasons: (run) =>
      Object.fromEntries(
        Object.entries(reasonsOf(run)).map(([url, reason]) => [
          pathOf(url),
          reason.replaceAll(site.url, ''),
        ]),
      ),
  };
}
