import type { HtmlPage } from '../../../extract/html/html-page.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { WebResponse } from '../../../platform/web/web-client.ts';
import { createWorkTurns } from '../../../platform/work-turns.ts';
import { type Connector, maxRunMs, type SourceReading } from '../connector.ts';
import { addRefusal, addWarning, outcomeCounters, storeReport } from '../run-report.ts';
import { shortenExternalId } from '../source-document.ts';
import {
  countCopies,
  findCopiedPage,
  findPage,
  type KnownPage,
  keepPages,
  removeUnseen,
  storePage,
} from '../source-pages.ts';
import { createFrontier, type FrontierEntry } from './frontier.ts';
import { readRobotsTag } from './robots-tag.ts';
import { isSameSite } from './same-site.ts';
import { plainUrlOf, textKeyOf } from './text-key.ts';
import {
  requireValidWebsiteConfig,
  type WebsiteConfig,
  websiteConfigOf,
  websiteFields,
} from './website-config.ts';
import { readContent, type WebsiteContent, writeDocument } from './website-documents.ts';
import { createWebsiteFetcher } from './website-fetcher.ts';
import { createScope, normalizeUrl, startHostsOf } from './website-urls.ts';

const maxRedirects = 5;
const temporaryRedirects: ReadonlySet<number> = new Set([302, 303, 307]);
/**
 * Maximum number of links of a page that are stored and followed, and maximum number of characters in their addresses.
 */
const maxStoredLinks = 2_000;
const maxStoredLength = 64_000;
/**
 * A page may name another page as its original, which may name a further page, and so on. A run follows at most this
 * many such steps.
 */
const maxCanonicalHops = 5;

/**
 * A run follows the links of at most this many copies in a row. A page "not found" with the status 200 and a relative
 * link would otherwise lead to endless copies of itself.
 */
const maxCopiesInRow = 2;
/** Maximum number of copies that the run names one by one, so that the list has room for other reasons. */
const maxNamedCopies = 20;

/** Maximum number of hosts that a run names in its report, or that are stored with a page. */
const maxHosts = 20;
const otherHostReason =
  'Pages of this host are linked or in the sitemap, but not read. Add an address of it to the start addresses to include it';

interface PageLinks {
  readonly links: readonly string[];
  /** Other hosts of the same website to which the page links. */
  readonly hosts: readonly string[];
}

const noLinks: PageLinks = { links: [], hosts: [] };

interface WebsiteRun {
  /**
   * Reads the website until the documents are equal to it. Returns null, or the reason why the result is incomplete.
   */
  work(): Promise<string | null>;
}

/** Connector for websites. Their pages become documents. */
export const websiteConnector: Connector = {
  fields: websiteFields,
  secretField: null,
  isSecretRequired: false,
  secretTarget: () => '',
  requireValidConfig: (input, current) =>
    requireValidWebsiteConfig(input, current as Partial<WebsiteConfig>),
  read: (reading) => createWebsiteRun(reading).work(),
};

/** Creates a run that reads a website breadth-first, as a search engine does. */
function createWebsiteRun({
  context,
  source,
  organizationId,
  run,
  report,
}: SourceReading): WebsiteRun {
  const config = websiteConfigOf(source);
  const { projectId, id: sourceId, confirmsRemovals } = source;
  const owner = { projectId, sourceId, runId: run.id, organizationId, confirmsRemovals };
  const fetcher = createWebsiteFetcher(context, config, organizationId);
  const frontier = createFrontier(createScope(config), config.maxPages * 50);
  const refuse = (url: string, reason: string) => addRefusal(report, url, reason);
  const startHosts = startHostsOf(config);
  const startUrls = new Set(config.startUrls.map((url) => normalizeUrl(url) ?? url));
  const otherHosts = new Set(
    report.warnings.flatMap(({ url }) => /^\/\/(.+)\/$/.exec(url)?.[1] ?? []),
  );
  let visited = 0;
  let canonicalHops = 0;
  let namedCopies = 0;
  let hasMoreLinks = false;

  /** Adds one warning for each host that is not read. */
  const noteHosts = (hosts: Iterable<string>) => {
    for (const host of hosts) {
      if (startHosts.has(host) || otherHosts.has(host) || otherHosts.size >= maxHosts) continue;
      otherHosts.add(host);
      addWarning(report, `//${host}/`, otherHostReason);
    }
  };

  /**
   * Adds addresses to the frontier. The frontier compares each address with all patterns, so other work gets a turn in
   * between.
   */
  const discover = async (urls: Iterable<string>, depth: number, copies = 0) => {
    const turns = createWorkTurns(context.signal);
    for (const url of urls) {
      if (turns.isOver()) await turns.next();
      frontier.add({ url, depth, redirects: 0, copies });
    }
  };

  const follow = async (
    { depth, copies }: FrontierEntry,
    links: readonly string[],
    isCopy = false,
  ) => {
    if (depth >= config.maxDepth || (isCopy && copies >= maxCopiesInRow)) return;
    await discover(links, depth + 1, isCopy ? copies + 1 : 0);
  };

  const visit = async (entry: FrontierEntry): Promise<void> => {
    const { url } = entry;
    visited += 1;
    const known = await findPage(context, owner, url);
    // An earlier process has already read the page in this run. Then that process died.
    if (known?.runId === run.id) {
      noteHosts(known.leftOut);
      return follow(entry, known.links, known.externalId === null && known.textKey !== null);
    }
    const refusal = await fetcher.findRefusal(url);
    if (refusal?.isTemporary) return keep(entry, known, refusal.reason);
    if (refusal !== null) return refuse(url, refusal.reason);
    const result = await fetcher.get(url, conditionalHeaders(known));
    report.fetched += 1;
    if (result.type === 'failure') return keep(entry, known, result.reason);
    const { status } = result;
    if (status === 304 && known !== null) {
      if (await leaveOutKnownCopy(entry, known)) return;
      if (known.externalId !== null) report.unchanged += 1;
      return keep(entry, known, null);
    }
    // The document of this page is deleted at the end of the run, like the document of a page to which no page links.
    if (status === 404 || status === 410) return;
    if (status >= 300 && status < 400) {
      // The redirect is temporary, for example during maintenance, so the document is kept.
      if (temporaryRedirects.has(status)) await keep(entry, known, null);
      return redirect(entry, result.headers.location ?? '');
    }
    if (status !== 200) return keep(entry, known, `The server answered ${status}`);
    await readPage(entry, result);
  };

  /** Keeps the document of a page that has not changed or cannot be read, and follows the stored links of the page. */
  const keep = async (entry: FrontierEntry, known: KnownPage | null, reason: string | null) => {
    if (reason !== null) refuse(entry.url, reason);
    if (known === null) return;
    await keepPages(context, owner, [entry.url]);
    noteHosts(known.leftOut);
    await follow(entry, known.links);
  };

  const redirect = ({ url, depth, redirects, copies }: FrontierEntry, location: string) => {
    const target = normalizeUrl(location, url);
    if (target === null) return refuse(url, 'It redirects to no web address');
    if (redirects >= maxRedirects) return refuse(url, 'It redirects too often');
    if (!frontier.isInScope(target))
      return refuse(url, `It redirects out of the source: ${target}`);
    frontier.add({ url: target, depth, redirects: redirects + 1, copies });
  };

  const readPage = async (entry: FrontierEntry, response: WebResponse) => {
    const { url } = entry;
    const content = await readContent(context, owner, url, response);
    if (content.type === 'refused') return refuse(url, content.reason);
    const refreshUrl = content.type === 'page' ? refreshUrlOf(url, content.page) : null;
    if (refreshUrl !== null) return redirect(entry, refreshUrl);
    const tag = readRobotsTag(response.headers['x-robots-tag']);
    const { links, hosts } =
      content.type === 'page' && !tag.isNoFollow ? await linksOf(url, content.page) : noLinks;
    noteHosts(hosts);
    const original = await originalOf(entry, content);
    const reason = tag.isNoIndex ? 'The server asks not to index it' : refusalOf(content, original);
    const textKey = reason === null ? textKeyOf(url, content) : null;
    if (await leaveOutCopy(entry, { links, hosts }, textKey)) return;
    if (reason === null && (await write(url, content))) {
      await store(url, response, { links, hosts }, shortenExternalId(url), textKey);
    } else {
      if (reason !== null) refuse(url, reason);
      // Without an ETag and a date, the next run reads the page again and checks whether the original still exists.
      const validators = original === null ? response : { headers: {} };
      await store(url, validators, { links, hosts }, null);
    }
    await follow(entry, links);
  };

  /** Returns false if no other page has the same text. Otherwise stores the page without a document. */
  const leaveOutCopy = async (
    entry: FrontierEntry,
    pageLinks: PageLinks,
    textKey: string | null,
  ): Promise<boolean> => {
    if (textKey === null) return false;
    const { url } = entry;
    // The document should have the plain address, without the campaign of the link that was found first.
    await visitFirst(entry, plainUrlOf(url));
    const copied = await findCopiedPage(context, owner, url, textKey);
    if (copied === null) return false;
    namedCopies += 1;
    if (namedCopies <= maxNamedCopies) refuse(url, `It has the same text as ${copied}`);
    else report.refused += 1;
    // Without an ETag and a date, the next run reads the page again and compares it.
    await store(url, { headers: {} }, pageLinks, null, textKey);
    await follow(entry, pageLinks.links, true);
    return true;
  };

  const leaveOutKnownCopy = (entry: FrontierEntry, { links, leftOut, textKey }: KnownPage) =>
    leaveOutCopy(entry, { links, hosts: leftOut }, textKey);

  /** Visits the address now, unless it was already visited or is out of scope. */
  const visitFirst = async ({ depth }: FrontierEntry, url: string) => {
    if (canonicalHops >= maxCanonicalHops || visited >= config.maxPages) return;
    const first = frontier.take({ url, depth, redirects: 0, copies: 0 });
    canonicalHops += 1;
    if (first !== null) await visit(first);
    canonicalHops -= 1;
  };

  /** Adds one warning for all copies. */
  const noteCopies = async () => {
    const { count, example } = await countCopies(context, owner);
    if (example?.textKey == null) return;
    const copied = await findCopiedPage(context, owner, example.url, example.textKey);
    const left =
      count === 1
        ? '1 page is left out, because it has'
        : `${count} pages are left out, because they have`;
    addWarning(
      report,
      example.url,
      `${left} the same text as another page. This one is a copy of ${copied}`,
    );
  };

  /** Returns why the page must not become a document, or null if it may. */
  const refusalOf = (content: WebsiteContent, original: string | null): string | null => {
    if (content.type !== 'page') return null;
    if (content.page.isNoIndex) return 'The page asks not to be indexed';
    if (original !== null) return `It is a copy of ${original}`;
    return content.page.markdown === '' ? 'The page has no text' : null;
  };

  /**
   * Returns the address that the page names as its original, if the original has a document. If the original redirects,
   * is missing or must not be read, returns null, so the page is kept. Visits the original now, unless it was already
   * visited.
   */
  const originalOf = async (
    entry: FrontierEntry,
    content: WebsiteContent,
  ): Promise<string | null> => {
    if (content.type !== 'page') return null;
    const canonical = canonicalOf(entry.url, content.page);
    if (canonical === null) return null;
    await visitFirst(entry, canonical);
    const page = await findPage(context, owner, canonical);
    return page?.runId === run.id && page.externalId !== null ? canonical : null;
  };

  const canonicalOf = (
    url: string,
    page: { canonicalUrl: string | null; baseUrl: string | null },
  ) => {
    const canonical = page.canonicalUrl && normalizeUrl(page.canonicalUrl, baseOf(url, page));
    return canonical && canonical !== url && frontier.isInScope(canonical) ? canonical : null;
  };

  /**
   * Returns the links of the page that belong to the source, up to the maximum number, and other hosts of the same
   * site. For a start page without links of the source: the hosts to which several of its links lead.
   */
  const linksOf = async (
    url: string,
    page: { links: readonly string[]; canonicalUrl: string | null; baseUrl: string | null },
  ): Promise<PageLinks> => {
    const base = baseOf(url, page);
    const turns = createWorkTurns(context.signal);
    const links = new Set<string>();
    const hosts = new Set<string>();
    const foreign = new Map<string, Set<string>>();
    let length = 0;
    for (const href of [canonicalOf(url, page), ...page.links]) {
      if (turns.isOver()) await turns.next();
      const link = href === null ? null : normalizeUrl(href, base);
      if (link === null || links.has(link)) continue;
      if (!frontier.isInScope(link)) {
        const { host } = new URL(link);
        if (startHosts.has(host)) continue;
        if (hosts.size < maxHosts && isSameSite(host, startHosts)) hosts.add(host);
        foreign.set(host, (foreign.get(host) ?? new Set()).add(link));
        continue;
      }
      length += link.length;
      if (links.size >= maxStoredLinks || length > maxStoredLength) {
        hasMoreLinks = true;
        break;
      }
      links.add(link);
    }
    const leadsNowhere = startUrls.has(url) && [...links].every((link) => link === url);
    if (leadsNowhere && hosts.size === 0) {
      for (const [host, addresses] of foreign) if (addresses.size > 1) hosts.add(host);
    }
    return { links: [...links], hosts: [...hosts].slice(0, maxHosts) };
  };

  /** Writes the document of a page or file. Returns false if the document is refused. */
  const write = async (url: string, content: Exclude<WebsiteContent, { type: 'refused' }>) => {
    const outcome = await writeDocument(context, owner, url, content);
    if (typeof outcome === 'object') {
      refuse(url, outcome.reason);
      return false;
    }
    report[outcomeCounters[outcome]] += 1;
    return true;
  };

  const store = (
    url: string,
    response: Pick<WebResponse, 'headers'>,
    { links, hosts }: PageLinks,
    externalId: string | null,
    textKey: string | null = null,
  ) =>
    storePage(context, owner, url, {
      externalId,
      links: [...links],
      leftOut: [...hosts],
      textKey,
      etag: validator(response.headers.etag),
      lastModified: validator(response.headers['last-modified']),
    });

  /** Reads all pages. Returns null, or the reason why some were not read. */
  const crawl = async (): Promise<string | null> => {
    for (const url of startUrls) {
      frontier.add({ url, depth: 0, redirects: 0, copies: 0 });
    }
    const listing = await fetcher.listSitemapUrls(config.maxPages);
    noteHosts(hostsOf(listing.urls));
    await discover(listing.urls, 0);
    await storeReport(context, run, report);
    for (let entry = frontier.next(); entry !== null; entry = frontier.next()) {
      if (visited >= config.maxPages) return `The website has more than ${config.maxPages} pages`;
      if (Date.now() - run.startedAt.getTime() > maxRunMs) return 'The run took too long';
      context.signal.throwIfAborted();
      try {
        await visit(entry);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'QUOTA_EXCEEDED') return error.message;
        throw error;
      }
      await storeReport(context, run, report);
    }
    if (frontier.isTruncated() || hasMoreLinks) return 'The website has too many links';
    const [refusal] = report.refusals;
    if (refusal !== undefined && report.added + report.changed + report.unchanged === 0) {
      return `No page could be read: ${refusal.reason}`;
    }
    return listing.problem && `${listing.problem}. No document was deleted`;
  };

  return {
    async work() {
      const problem = await crawl();
      await noteCopies();
      return problem ?? removeUnseen(context, owner, run, report);
    },
  };
}

/**
 * Returns the first hosts of a list of addresses. Parses only one address of each host, because a sitemap has many
 * addresses.
 */
function hostsOf(urls: readonly string[]): string[] {
  const found = new Map<string, string>();
  let prefix = '//';
  for (const url of urls) {
    if (url.startsWith(prefix)) continue;
    const { origin, host } = URL.parse(url) ?? { origin: '//', host: '' };
    prefix = `${origin}/`;
    if (host !== '') found.set(origin, host);
    if (found.size > maxHosts) break;
  }
  return [...new Set(found.values())];
}

/** Returns the headers that request the page only if it has changed. */
function conditionalHeaders(known: KnownPage | null): Record<string, string> {
  if (known === null || (known.externalId !== null && !known.hasDocument)) return {};
  // An earlier version of this service has stored the page without the key of its text.
  if (known.externalId !== null && known.textKey === null) return {};
  return {
    ...(known.etag !== null && { 'if-none-match': known.etag }),
    ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
  };
}

/** Returns the value of a header for a later request. Returns null if the value is too long. */
function validator(value: string | undefined): string | null {
  return value !== undefined && value.length <= 500 && /^[\x20-\x7e]+$/.test(value) ? value : null;
}

function baseOf(url: string, { baseUrl }: { readonly baseUrl: string | null }): string {
  return (baseUrl && normalizeUrl(baseUrl, url)) ?? url;
}

/** Returns the address to which the page forwards its readers, or null if it does not forward them to another page. */
function refreshUrlOf(url: string, page: HtmlPage): string | null {
  const target = page.refreshUrl && normalizeUrl(page.refreshUrl, baseOf(url, page));
  return target === url ? null : target;
}
