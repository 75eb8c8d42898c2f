import { DomainError } from '../../../platform/errors.ts';
import { type Connector, maxRunMs, type SourceReading } from '../connector.ts';
import { removeUnseen } from '../remove-unseen.ts';
import { storeReport } from '../run-report.ts';
import { warnOfCopies } from './copied-pages.ts';
import { createFrontier } from './frontier.ts';
import { hostsOf } from './other-hosts.ts';
import { PageVisitor, type WebsiteCrawl } from './page-visitor.ts';
import {
  requireValidWebsiteConfig,
  type WebsiteConfig,
  websiteConfigOf,
  websiteFields,
} from './website-config.ts';
import { createWebsiteFetcher } from './website-fetcher.ts';
import { siteAddressesOf } from './website-urls.ts';

/** Connector for websites. Their pages become documents. */
export const websiteConnector: Connector = {
  fields: websiteFields,
  secretField: null,
  isSecretRequired: false,
  secretTarget: () => '',
  requireValidConfig: (input, current) =>
    requireValidWebsiteConfig(input, current as Partial<WebsiteConfig>),
  read: readWebsite,
};

async function readWebsite(reading: SourceReading): Promise<string | null> {
  const { context, source, organizationId, run, report } = reading;
  const { projectId, id: sourceId, confirmsRemovals } = source;
  const owner = { projectId, sourceId, runId: run.id, organizationId, confirmsRemovals };
  const problem = await crawl(reading, owner);
  await warnOfCopies(context, owner, report);
  return problem ?? removeUnseen(context, owner, run, report);
}

/**
 * Reads all pages of a website breadth-first, as a search engine does. Returns null, or the reason why some were not
 * read.
 */
async function crawl(reading: SourceReading, owner: WebsiteCrawl['owner']): Promise<string | null> {
  const { context, source, organizationId, run, report } = reading;
  const config = websiteConfigOf(source);
  const site = siteAddressesOf(config);
  const frontier = createFrontier(site.isInScope, config.maxPages * 50);
  const fetcher = createWebsiteFetcher(context, config, organizationId);
  const visitor = new PageVisitor({ reading, owner, config, site, frontier, fetcher });
  for (const url of site.startUrls) frontier.add({ url, depth: 0, redirects: 0, copies: 0 });
  const listing = await fetcher.listSitemapUrls(config.maxPages);
  visitor.warnOfHosts(hostsOf(listing.urls));
  await frontier.addAll(listing.urls, { depth: 0, copies: 0 }, context.signal);
  await storeReport(context, run, report);
  for (let entry = frontier.next(); entry !== null; entry = frontier.next()) {
    if (visitor.isFull) return `The website has more than ${config.maxPages} pages`;
    if (Date.now() - run.startedAt.getTime() > maxRunMs) return 'The run took too long';
    context.signal.throwIfAborted();
    try {
      await visitor.visit(entry);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'QUOTA_EXCEEDED') return error.message;
      throw error;
    }
    await storeReport(context, run, report);
  }
  if (frontier.isTruncated() || visitor.hasMoreLinks) return 'The website has too many links';
  const [refusal] = report.refusals;
  if (refusal !== undefined && report.added + report.changed + report.unchanged === 0) {
    return `No page could be read: ${refusal.reason}`;
  }
  return listing.problem && `${listing.problem}. No document was deleted`;
}
