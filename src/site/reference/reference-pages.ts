import { ApiKeyScope } from '../../platform/postgres/generated/prisma/enums.ts';
import { type Html, html } from '../html.ts';
import { renderDescription } from '../markdown.ts';
import { guidesPath, type MenuGroup, referencePath, renderPage } from '../page.ts';
import { info, type Operation, operations, tags, webhookEvents } from './openapi.ts';
import { renderEvent, renderOperation } from './render-operation.ts';

/** Operations with one tag, which form one page. */
interface Chapter {
  readonly title: string;
  readonly path: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Address of the page of webhook events. */
const eventsPath = `${referencePath}/events`;

export const chapters: readonly Chapter[] = tags.map(({ name, description }) => ({
  title: name,
  path: `${referencePath}/${name.toLowerCase()}`,
  description,
  operations: operations.filter((operation) => operation.tags.includes(name)),
}));

const menu: readonly MenuGroup[] = [
  { title: 'REST API', links: [{ title: 'Overview', path: referencePath }] },
  {
    title: 'Operations',
    links: chapters.map(({ title, path, operations }) => ({
      title,
      path,
      sections: operations.map(({ operationId, summary }) => ({ id: operationId, title: summary })),
    })),
  },
  {
    title: 'Webhooks',
    links: [
      {
        title: 'Events',
        path: eventsPath,
        sections: Object.keys(webhookEvents).map((type) => ({ id: type, title: type })),
      },
    ],
  },
];

/** Returns the pages of the API reference by their address. Each page is rendered when it is read. */
export function referencePages(): ReadonlyMap<string, () => string> {
  return new Map([
    [referencePath, renderOverview],
    ...chapters.map((chapter) => [chapter.path, () => renderChapter(chapter)] as const),
    [eventsPath, renderEvents],
  ]);
}

function renderOverview(): string {
  const content = html`<h1>API reference</h1>
${renderDescription(info.description)}
<p>For programs: <a href="/api/v1/openapi.json">openapi.json</a>. For a first call: <a href="${guidesPath}/guides/rest-api">the guide</a>.</p>
${chapters.map(
  ({
    title,
    path,
    description,
    operations,
  }) => html`<h2 id="${title.toLowerCase()}"><a href="${path}">${title}</a></h2>
<p>${description}</p>
<ul class="operations">${operations.map(
    ({ operationId, method, path: route, summary }) =>
      html`<li><a href="${path}#${operationId}">${summary}</a> <span class="route"><span class="method">${method}</span> <code>${route}</code></span></li>`,
  )}</ul>`,
)}
<h2 id="events"><a href="${eventsPath}">Events of webhooks</a></h2>
<p>What the service sends to the addresses of webhooks.</p>`;
  const description = 'Every operation of the REST API, with its fields, errors and code samples.';
  return page('API reference', description, referencePath, content);
}

function renderChapter({ title, path, description, operations }: Chapter): string {
  const content = html`<h1>${title}</h1>
<p class="lead">${description}</p>
${keyField}
${operations.map(renderOperation)}`;
  return page(`${title}: API reference`, description, path, content);
}

function renderEvents(): string {
  const description = 'What the service sends to the addresses of webhooks.';
  const content = html`<h1>Events of webhooks</h1>
<p class="lead">${description} The headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> follow Standard Webhooks. <a href="${guidesPath}/guides/webhooks">How to receive and verify them</a>.</p>
${Object.entries(webhookEvents).map(([type, event]) => renderEvent(type, event))}`;
  return page('Events: API reference', description, eventsPath, content);
}

/** The key for all forms of the page. The script keeps it until the tab is closed. */
const keyField: Html = html`<p class="key"><label>API key for <em>Try it</em>
<input type="password" id="key" autocomplete="off" spellcheck="false" placeholder="sk_…"></label>
<small>Stays in this tab. Owners and admins create keys on the page Developer of the <a href="/dashboard">dashboard</a>, or here, if they are signed in:</small>
<span id="session-key" data-scopes="${Object.values(ApiKeyScope).join(' ')}"><button type="button">Create a key for one hour</button> <output></output></span>
<button type="button" id="copy-variables">Copy the variables of the samples</button></p>
<script src="${guidesPath}/assets/session-key.js" type="module"></script>`;

function page(title: string, description: string, path: string, content: Html): string {
  return renderPage({ title, description, path, menu, content });
}
