import type { WebResponse } from '../../../platform/web/web-client.ts';
import type { SourceReading } from '../connector.ts';
import { addRefusal, countWritten } from '../run-report.ts';
import { shortenExternalId } from '../source-document.ts';
import { findPage, type KnownPage, keepPages, type PageOwner, storePage } from '../source-pages.ts';
import { findCopiedPage } from './copied-pages.ts';
import type { Frontier, FrontierEntry } from './frontier.ts';
import { createHostWarnings } from './other-hosts.ts';
import { canonicalUrlOf, type PageLinks, readPageLinks, refreshUrlOf } from './page-links.ts';
import { conditionalHeaders, noValidators, validatorsOf } from './page-validators.ts';
import { readRobotsTag } from './robots-tag.ts';
import { plainUrlOf, textKeyOf } from './text-key.ts';
import type { WebsiteConfig } from './website-config.ts';
import {
  type DocumentOwner,
  documentNameOf,
  readContent,
  type WebsiteContent,
  writeDocument,
} from './website-documents.ts';
import type { WebsiteFetcher } from './website-fetcher.ts';
import { normalizeUrl, type SiteAddresses } from './website-urls.ts';

const maxRedirects = 5;
const temporaryRedirects: ReadonlySet<number> = new Set([302, 303, 307]);
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

const noLinks = { links: [], hosts: [], isTruncated: false };

/** A run on a website, its settings and the tools with which it reads the website. */
export interface WebsiteCrawl {
  readonly reading: SourceReading;
  readonly owner: PageOwner & DocumentOwner;
  readonly config: WebsiteConfig;
  readonly site: SiteAddresses;
  readonly frontier: Frontier;
  readonly fetcher: WebsiteFetcher;
}

/** Visits the pages of a website in one run: writes their documents, and adds their links to the frontier. */
export class PageVisitor {
  /** Adds one warning for each host that is not read. */
  readonly warnOfHosts: (hosts: Iterable<string>) => void;
  /** Whether links were omitted because a page has too many. */
  hasMoreLinks = false;
  readonly #crawl: WebsiteCrawl;
  #visited = 0;
  #canonicalHops = 0;
  #namedCopies = 0;

  constructor(crawl: WebsiteCrawl) {
    this.warnOfHosts = createHostWarnings(crawl.reading.report, crawl.site.startHosts);
    this.#crawl = crawl;
  }

  /** Whether the run has visited as many pages as it may. */
  get isFull(): boolean {
    return this.#visited >= this.#crawl.config.maxPages;
  }

  async visit(entry: FrontierEntry): Promise<void> {
    const { context, run, report } = this.#crawl.reading;
    const { url } = entry;
    this.#visited += 1;
    const known = await findPage(context, this.#crawl.owner, url);
    // An earlier process has already read the page in this run. Then that process died.
    if (known?.runId === run.id) {
      this.warnOfHosts(known.leftOut);
      const isCopy = known.externalId === null && known.textKey !== null;
      return this.#follow(entry, known.links, isCopy);
    }
    const refusal = await this.#crawl.fetcher.findRefusal(url);
    if (refusal?.isTemporary) return this.#keep(entry, known, refusal.reason);
    if (refusal !== null) return this.#refuse(url, refusal.reason);
    const result = await this.#crawl.fetcher.get(url, conditionalHeaders(known));
    report.fetched += 1;
    if (result.type === 'failure') return this.#keep(entry, known, result.reason);
    const { status } = result;
    if (status === 304 && known !== null) return this.#keepUnchanged(entry, known);
    // The document of this page is deleted at the end of the run, like the document of a page to which no page links.
    if (status === 404 || status === 410) return;
    if (status >= 300 && status < 400) {
      // The redirect is temporary, for example during maintenance, so the document is kept.
      if (temporaryRedirects.has(status)) await this.#keep(entry, known, null);
      return this.#redirect(entry, result.headers.location ?? '');
    }
    if (status !== 200) return this.#keep(entry, known, `The server answered ${status}`);
    await this.#readPage(entry, result);
  }

  #refuse(url: string, reason: string): void {
    addRefusal(this.#crawl.reading.report, url, reason);
  }

  async #follow({ depth, copies }: FrontierEntry, links: readonly string[], isCopy = false) {
    if (depth >= this.#crawl.config.maxDepth || (isCopy && copies >= maxCopiesInRow)) return;
    const found = { depth: depth + 1, copies: isCopy ? copies + 1 : 0 };
    await this.#crawl.frontier.addAll(links, found, this.#crawl.reading.context.signal);
  }

  /** Keeps the document of a page that has not changed or cannot be read, and follows the stored links of the page. */
  async #keep(entry: FrontierEntry, known: KnownPage | null, reason: string | null) {
    if (reason !== null) this.#refuse(entry.url, reason);
    if (known === null) return;
    await keepPages(this.#crawl.reading.context, this.#crawl.owner, [entry.url]);
    this.warnOfHosts(known.leftOut);
    await this.#follow(entry, known.links);
  }

  async #keepUnchanged(entry: FrontierEntry, known: KnownPage) {
    const { links, leftOut, textKey, externalId } = known;
    if (await this.#leaveOutCopy(entry, { links, hosts: leftOut }, textKey)) return;
    if (externalId !== null) this.#crawl.reading.report.unchanged += 1;
    await this.#keep(entry, known, null);
  }

  #redirect({ url, depth, redirects, copies }: FrontierEntry, location: string): void {
    const target = normalizeUrl(location, url);
    if (target === null) return this.#refuse(url, 'It redirects to no web address');
    if (redirects >= maxRedirects) return this.#refuse(url, 'It redirects too often');
    if (!this.#crawl.site.isInScope(target))
      return this.#refuse(url, `It redirects out of the source: ${target}`);
    this.#crawl.frontier.add({ url: target, depth, redirects: redirects + 1, copies });
  }

  async #readPage(entry: FrontierEntry, response: WebResponse) {
    const { context } = this.#crawl.reading;
    const { url } = entry;
    const content = await readContent(context, this.#crawl.owner, url, response);
    if (content.type === 'refused') return this.#refuse(url, content.reason);
    const page = content.type === 'page' ? content.page : null;
    const refreshUrl = page && refreshUrlOf(url, page);
    if (refreshUrl !== null) return this.#redirect(entry, refreshUrl);
    const tag = readRobotsTag(response.headers['x-robots-tag']);
    const { isTruncated, ...pageLinks } =
      page === null || tag.isNoFollow
        ? noLinks
        : await readPageLinks(url, page, this.#crawl.site, context.signal);
    this.hasMoreLinks ||= isTruncated;
    this.warnOfHosts(pageLinks.hosts);
    const original = await this.#originalOf(entry, content);
    const reason = tag.isNoIndex ? 'The server asks not to index it' : refusalOf(content, original);
    const textKey = reason === null ? textKeyOf(url, content) : null;
    if (await this.#leaveOutCopy(entry, pageLinks, textKey)) return;
    const validators = validatorsOf(response);
    if (reason === null && (await this.#write(url, content))) {
      const document = { externalId: shortenExternalId(url), textKey };
      await this.#store(url, pageLinks, { ...document, ...validators });
    } else {
      if (reason !== null) this.#refuse(url, reason);
      // A copy has no validators, so that the next run checks whether the original still exists.
      await this.#store(url, pageLinks, original === null ? validators : noValidators);
    }
    await this.#follow(entry, pageLinks.links);
  }

  /** Returns false if no other page has the same text. Otherwise stores the page without a document. */
  async #leaveOutCopy(entry: FrontierEntry, pageLinks: PageLinks, textKey: string | null) {
    if (textKey === null) return false;
    const { context, report } = this.#crawl.reading;
    const { url } = entry;
    // The document should have the plain address, without the campaign of the link that was found first.
    await this.#visitFirst(entry, plainUrlOf(url));
    const copied = await findCopiedPage(context, this.#crawl.owner, url, textKey);
    if (copied === null) return false;
    this.#namedCopies += 1;
    if (this.#namedCopies > maxNamedCopies) report.refused += 1;
    else this.#refuse(url, `It has the same text as ${copied}`);
    // Without validators, the next run reads the page again and compares it.
    await this.#store(url, pageLinks, { textKey, ...noValidators });
    await this.#follow(entry, pageLinks.links, true);
    return true;
  }

  /** Visits the address now, unless it was already visited or is out of scope. */
  async #visitFirst({ depth }: FrontierEntry, url: string) {
    if (this.#canonicalHops >= maxCanonicalHops || this.isFull) return;
    const first = this.#crawl.frontier.take({ url, depth, redirects: 0, copies: 0 });
    this.#canonicalHops += 1;
    if (first !== null) await this.visit(first);
    this.#canonicalHops -= 1;
  }

  /**
   * Returns the address that the page names as its original, if the original has a document. If the original redirects,
   * is missing or must not be read, returns null, so the page is kept. Visits the original now, unless it was already
   * visited.
   */
  async #originalOf(entry: FrontierEntry, content: WebsiteContent): Promise<string | null> {
    if (content.type !== 'page') return null;
    const canonical = canonicalUrlOf(entry.url, content.page, this.#crawl.site);
    if (canonical === null) return null;
    await this.#visitFirst(entry, canonical);
    const { context, run } = this.#crawl.reading;
    const page = await findPage(context, this.#crawl.owner, canonical);
    return page?.runId === run.id && page.externalId !== null ? canonical : null;
  }

  /** Writes the document of a page or file. Returns false if the document is refused. */
  async #write(url: string, content: Exclude<WebsiteContent, { type: 'refused' }>) {
    const { context, report } = this.#crawl.reading;
    const outcome = await writeDocument(context, this.#crawl.owner, url, content);
    if (typeof outcome === 'object') {
      this.#refuse(url, outcome.reason);
      return false;
    }
    countWritten(report, outcome, documentNameOf(url, content));
    return true;
  }

  #store(
    url: string,
    { links, hosts }: PageLinks,
    page: Pick<KnownPage, 'etag' | 'lastModified'> &
      Partial<Pick<KnownPage, 'externalId' | 'textKey'>>,
  ): Promise<void> {
    const found = { links: [...links], leftOut: [...hosts] };
    const stored = { externalId: null, textKey: null, ...found, ...page };
    return storePage(this.#crawl.reading.context, this.#crawl.owner, url, stored);
  }
}

/** Returns why the page must not become a document, or null if it may. */
function refusalOf(content: WebsiteContent, original: string | null): string | null {
  if (content.type !== 'page') return null;
  if (content.page.isNoIndex) return 'The page asks not to be indexed';
  if (original !== null) return `It is a copy of ${original}`;
  return content.page.markdown === '' ? 'The page has no text' : null;
}
