import { Html, html } from './html.ts';

/** Pages of one kind, as a group of the menu. */
export interface MenuGroup {
  readonly title: string;
  readonly links: readonly MenuLink[];
}

export interface MenuLink {
  readonly title: string;
  readonly path: string;
  /** Sections of the page, shown while the page is open. */
  readonly sections?: readonly { readonly id: string; readonly title: string }[];
}

export interface Page {
  readonly title: string;
  /** One sentence, for search engines and previews of links. */
  readonly description: string;
  readonly path: string;
  readonly menu: readonly MenuGroup[];
  readonly content: Html;
  /** Text of the search field. */
  readonly query?: string;
}

export const guidesPath = '/docs';

export const referencePath = '/api/v1/docs';

/** Renders a complete page: head with links, menu of pages and sections, content. */
export function renderPage({ title, description, path, menu, content, query = '' }: Page): string {
  const name = title === 'grounded-chat' ? title : `${title} · grounded-chat`;
  return `<!doctype html>
${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/dashboard/icon.svg">
<link rel="stylesheet" href="${guidesPath}/assets/site.css">
<script src="${guidesPath}/assets/site.js" type="module"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${guidesPath}">grounded-chat</a>
<nav aria-label="Parts of the site">
${headLink(guidesPath, 'Guides', path)}
${headLink(referencePath, 'API reference', path)}
<a href="/dashboard">Dashboard</a>
</nav>
<form role="search" action="${guidesPath}/search">
<input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search guides and API reference" maxlength="200" required>
</form>
</header>
<div class="columns">
<details class="menu" open>
<summary>Pages</summary>
<nav aria-label="Pages">
${menu.map((group) => renderGroup(group, path))}
</nav>
</details>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>`}
`;
}

function headLink(path: string, title: string, current: string): Html {
  const isCurrent = current === path || current.startsWith(`${path}/`);
  return html`<a href="${path}"${isCurrent && new Html(' aria-current="true"')}>${title}</a>`;
}

function renderGroup({ title, links }: MenuGroup, current: string): Html {
  return html`<p class="group">${title}</p>
<ul>${links.map((link) => renderLink(link, current))}</ul>`;
}

function renderLink({ title, path, sections = [] }: MenuLink, current: string): Html {
  if (path !== current) return html`<li><a href="${path}">${title}</a></li>`;
  return html`<li><a href="${path}" aria-current="page">${title}</a>
${sections.length > 0 && html`<ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`}</li>`;
}
