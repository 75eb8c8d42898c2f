import { type EncodedFile, encodeFile, once } from '../http/send-encoded.ts';
import { listDocs, menuOfGuides, readGuideFiles } from './guides/guide-files.ts';
import { guidePages, renderSearchPage } from './guides/guide-pages.ts';
import { readPictures } from './guides/pictures.ts';
import { createSearch } from './guides/search-site.ts';
import { html } from './html.ts';
import { guidesPath, referencePath, renderPage } from './page.ts';
import { referencePages } from './reference/reference-pages.ts';

/** The pages that the service renders: guides and API reference. */
export interface Site {
  /** Returns the page at an address, or null. */
  findPage(path: string): EncodedFile | null;
  /** Returns the page with the results of a search. */
  search(query: string): string;
  readonly notFound: string;
}

/** Reads the guides. Each page is rendered and compressed when it is first requested, and then kept. */
export async function createSite(): Promise<Site> {
  const docs = await listDocs();
  const [files, pictures] = await Promise.all([readGuideFiles(docs), readPictures(docs)]);
  const menu = menuOfGuides(files);
  const pages = new Map(
    [...guidePages(files, pictures, menu), ...referencePages()].map(([path, render]) => [
      path,
      once(() => encodeFile(Buffer.from(render()))),
    ]),
  );
  const search = once(() => createSearch(files));
  return {
    findPage: (path) => pages.get(path)?.() ?? null,
    search: (query) => renderSearchPage(query, search()(query), menu),
    notFound: renderPage({
      title: 'Page not found',
      description: 'There is no page at this address.',
      path: '',
      menu,
      content: html`<h1>Page not found</h1>
<p>There is no page at this address. Search above, or go to the <a href="${guidesPath}">guides</a>, the <a href="${referencePath}">API reference</a> or the <a href="/dashboard">dashboard</a>.</p>`,
    }),
  };
}
