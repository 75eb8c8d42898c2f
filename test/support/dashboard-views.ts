import type { Page } from 'playwright-core';
import type { FilledTenant } from './fill-tenant.ts';

/** One thing that a page of a project shows. */
interface DashboardView {
  /** Below the project; or what gives it, where it names something of the project. */
  readonly path: string | ((filled: FilledTenant) => string);
  /** What is done there until it is shown. */
  act?(page: Page): Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();

/** Every page with its tabs, its panels and its dialogs. */
const views = {
  inbox: { path: 'inbox' },
  handoff: { path: ({ claimedConversationId }) => `inbox/${claimedConversationId}` },
  conversations: { path: 'conversations' },
  conversation: { path: ({ conversationId }) => `conversations/${conversationId}` },
  unanswered: { path: 'unanswered' },
  knowledge: { path: 'knowledge' },
  document: { path: ({ documentId }) => `knowledge/${documentId}` },
  search: {
    path: 'knowledge',
    async act(page) {
      await page.getByText('Search', { exact: true }).click();
      await page.getByLabel('Question').fill('What does parking cost?');
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Results' }).waitFor();
    },
  },
  'write a document': { path: 'knowledge', act: press('Write a document') },
  'delete a document': { path: 'knowledge', act: press(/^Delete /) },
  playground: {
    path: 'playground',
    async act(page) {
      for (const question of ['When is breakfast on Sundays?', 'What does late check-out cost?']) {
        await page.getByRole('textbox', { name: 'Message' }).fill(question);
        await page.keyboard.press('Enter');
        await page.getByText(question).first().waitFor();
        await page.getByLabel('Answering').waitFor({ state: 'detached' });
      }
    },
  },
  developer: { path: 'developer' },
  'make a key': { path: 'developer', act: press('Make a key') },
  'revoke a key': { path: 'developer', act: press(/^Revoke /) },
  webhooks: { path: 'developer', act: tab('Webhooks') },
  'add an endpoint': {
    path: 'developer',
    async act(page) {
      await tab('Webhooks')(page);
      await press('Add an endpoint')(page);
    },
  },
  deliveries: { path: 'developer', act: tab('Deliveries') },
  usage: { path: 'usage' },
  settings: { path: 'settings' },
  widget: {
    path: 'settings',
    async act(page) {
      await tab('Widget')(page);
      const setUp = page.getByRole('button', { name: 'Set up the widget' });
      const isSetUp = page.getByText('The tag for your pages');
      await setUp.or(isSetUp).waitFor();
      if (await setUp.isVisible()) await setUp.click();
      await isSetUp.waitFor();
    },
  },
  projects: { path: 'settings', act: tab('Projects') },
  members: { path: 'settings', act: tab('Members') },
  account: { path: 'settings', act: press('Your account') },
} as const satisfies Readonly<Record<string, DashboardView>>;

export type ViewName = keyof typeof views;

export const viewNames = Object.keys(views) as ViewName[];

/** The pages themselves, as the menu has them. */
export const pagePaths = [
  ...new Set(Object.values(views).flatMap(({ path }) => (typeof path === 'string' ? [path] : []))),
];

/** Opens a view and waits until it stands still. `projectUrl` is where the pages of the project are. */
export async function showView(
  page: Page,
  projectUrl: string,
  filled: FilledTenant,
  name: ViewName,
): Promise<void> {
  const { path, act }: DashboardView = views[name];
  await showPage(page, `${projectUrl}/${typeof path === 'string' ? path : path(filled)}`);
  await act?.(page);
  await standStill(page);
}

export async function showPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await standStill(page);
}

async function standStill(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await page.waitForFunction(() => {
    const isLoading = document.querySelector('[aria-label="Loading"]') !== null;
    return !isLoading && document.getAnimations().every(({ playState }) => playState !== 'running');
  });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
