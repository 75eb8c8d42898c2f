import { html } from '../html.ts';
import { type Picture, renderMarkdown } from '../markdown.ts';
import { guidesPath, type MenuGroup, renderPage } from '../page.ts';
import { type GuideFile, resolveGuideFile, resolveGuideLink } from './guide-files.ts';
import type { FoundSection } from './search-site.ts';

/** Returns the pages of the guides by their address. Each page is rendered when it is read. */
export function guidePages(
  files: readonly GuideFile[],
  pictures: ReadonlyMap<string, Picture>,
  menu: readonly MenuGroup[],
): ReadonlyMap<string, () => string> {
  return new Map(files.map((file) => [file.path, () => renderGuide(file, pictures, menu)]));
}

function renderGuide(
  guide: GuideFile,
  pictures: ReadonlyMap<string, Picture>,
  menu: readonly MenuGroup[],
): string {
  const { path, title, file, markdown } = guide;
  const { html: content, sections } = renderMarkdown(
    markdown,
    (target) => resolveGuideLink(file, target),
    (target) => pictures.get(resolveGuideFile(file, target)) ?? null,
  );
  const shown = sections.filter(({ level }) => level === 2);
  const description = descriptionOf(markdown);
  const ownMenu = menu.map(({ title, links }) => ({
    title,
    links: links.map((link) => (link.path === path ? { ...link, sections: shown } : link)),
  }));
  return renderPage({ title, description, path, menu: ownMenu, content });
}

/** Returns the first sentence of the first paragraph. */
function descriptionOf(markdown: string): string {
  const paragraph =
    markdown.split(/\n{2,}/).find((block) => /^[\w`*[]/.test(block)) ??
    'A page of the documentation';
  const text = paragraph.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[`*\n]+/g, ' ');
  return (/^.{20,}?[.:](?=\s|$)/.exec(text)?.[0] ?? text).slice(0, 200);
}

/** Renders the results of a search. */
export function renderSearchPage(
  query: string,
  found: readonly FoundSection[],
  menu: readonly MenuGroup[],
): string {
  const content = html`<h1>Search</h1>
<p role="status">${found.length === 0 ? 'Nothing found' : `${found.length} ${found.length === 1 ? 'section' : 'sections'}`} for “${query}”</p>
<ol class="results">${found.map(
    ({ path, page, title, excerpt }) =>
      html`<li><a href="${path}">${title}</a> <small>${page}</small><p>${excerpt}</p></li>`,
  )}</ol>`;
  const path = `${guidesPath}/search`;
  const description = 'Search in the guides and the API reference.';
  return renderPage({ title: 'Search', description, path, menu, content, query });
}
