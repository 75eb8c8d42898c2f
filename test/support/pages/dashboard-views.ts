import type { Page } from 'playwright-core';
import type { SeededTenant } from '../database/seed-tenant.ts';

/** A page, panel or dialog of the dashboard that belongs to a project. */
interface DashboardView {
  /** Path relative to the project, or a function that builds this path from ids of the tenant. */
  readonly path: string | ((tenant: SeededTenant) => string);
  /** Actions on the page that open the view. */
  act?(page: Page): Promise<unknown>;
}

const clickButton = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();
const selectTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();
const selectSources = async (page: Page) => {
  await page.getByText('Sources', { exact: true }).click();
  await page.getByRole('list', { name: 'Sources' }).waitFor();
};

async function askInPlayground(page: Page): Promise<void> {
  for (const question of ['When is breakfast on Sundays?', 'What does late check-out cost?']) {
    await page.getByRole('textbox', { name: 'Message' }).fill(question);
    await page.keyboard.press('Enter');
    await page.getByText(question).first().waitFor();
    await page.getByLabel('Answering').waitFor({ state: 'detached' });
  }
}

/** All pages, with their tabs, panels and dialogs. */
const views = {
  inbox: { path: 'inbox' },
  'settings of the inbox': { path: 'inbox', act: clickButton('Settings of this browser') },
  handoff: { path: ({ claimedConversationId }) => `inbox/${claimedConversationId}` },
  'rated handoff': { path: ({ ratedConversationId }) => `inbox/${ratedConversationId}` },
  conversations: { path: 'conversations' },
  conversation: { path: ({ conversationId }) => `conversations/${conversationId}` },
  'rated conversation': {
    path: ({ ratedConversationId }) => `conversations/${ratedConversationId}`,
  },
  unanswered: { path: 'unanswered' },
  'merging unanswered questions': {
    path: 'unanswered',
    async act(page) {
      await page.getByRole('button', { name: 'Decide…' }).first().click();
      await page.getByRole('menuitem', { name: /^Merge/ }).click();
    },
  },
  knowledge: { path: 'knowledge' },
  document: { path: ({ documentId }) => `knowledge/${documentId}` },
  'text of a document': { path: ({ documentId }) => `knowledge/${documentId}/text` },
  'details of a document': {
    path: ({ documentId }) => `knowledge/${documentId}`,
    act: clickButton('Edit the details'),
  },
  search: {
    path: 'knowledge',
    async act(page) {
      await page.getByText('Search', { exact: true }).click();
      await page.getByLabel('Question').fill('What does parking cost?');
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Results' }).waitFor();
    },
  },
  sources: { path: 'knowledge', act: selectSources },
  'runs of a source': {
    path: 'knowledge',
    async act(page) {
      await selectSources(page);
      await clickButton(/^Runs of /)(page);
    },
  },
  'add a source': {
    path: 'knowledge',
    async act(page) {
      await selectSources(page);
      await clickButton('Add a source')(page);
    },
  },
  'write a document': { path: 'knowledge', act: clickButton('Write a document') },
  'delete a document': { path: 'knowledge', act: clickButton(/^Delete /) },
  playground: { path: 'playground', act: askInPlayground },
  'why this answer': {
    path: 'playground',
    async act(page) {
      await askInPlayground(page);
      await page.getByRole('button', { name: 'Why this answer?' }).last().click();
      const drawer = page.getByRole('dialog', { name: 'Why this answer?' });
      await drawer.getByRole('heading', { name: 'Time' }).waitFor();
    },
  },
  'comparison of settings': {
    path: 'playground',
    async act(page) {
      await page.getByRole('switch', { name: 'Compare' }).check();
      await page.getByRole('textbox', { name: 'Message' }).fill('When is breakfast on Sundays?');
      await page.keyboard.press('Enter');
      await page.getByText('Both give the same answer.').waitFor();
    },
  },
  evaluation: { path: 'evaluation' },
  'create a question set': { path: 'evaluation', act: clickButton('Create a set') },
  developer: { path: 'developer' },
  'create a key': { path: 'developer', act: clickButton('Create a key') },
  'revoke a key': { path: 'developer', act: clickButton(/^Revoke /) },
  webhooks: { path: 'developer', act: selectTab('Webhooks') },
  'add an endpoint': {
    path: 'developer',
    async act(page) {
      await selectTab('Webhooks')(page);
      await clickButton('Add an endpoint')(page);
    },
  },
  deliveries: { path: 'developer', act: selectTab('Deliveries') },
  analytics: { path: 'analytics' },
  usage: { path: 'usage' },
  settings: { path: 'settings' },
  answers: { path: 'settings', act: selectTab('Answers') },
  models: { path: 'settings', act: selectTab('Models') },
  'answers with a threshold': {
    path: 'settings',
    async act(page) {
      await selectTab('Answers')(page);
      await page
        .getByRole('radio', { name: 'Another confidence threshold for this project' })
        .check();
    },
  },
  widget: {
    path: 'settings',
    async act(page) {
      await selectTab('Widget')(page);
      const setUp = page.getByRole('button', { name: 'Set up the widget' });
      const scriptTag = page.getByText('Script tag');
      await setUp.or(scriptTag).waitFor();
      if (await setUp.isVisible()) await setUp.click();
      await scriptTag.waitFor();
    },
  },
  labels: { path: 'settings', act: selectTab('Labels') },
  'saved replies': { path: 'settings', act: selectTab('Saved replies') },
  'add a saved reply': {
    path: 'settings',
    async act(page) {
      await selectTab('Saved replies')(page);
      await clickButton('Add a saved reply')(page);
    },
  },
  projects: { path: 'settings', act: selectTab('Projects') },
  members: { path: 'settings', act: selectTab('Members') },
  sessions: { path: 'settings', act: selectTab('Sessions') },
  'audit log': { path: 'settings', act: selectTab('Audit log') },
  'get started': { path: 'start' },
  account: { path: 'settings', act: clickButton('Your account') },
} as const satisfies Readonly<Record<string, DashboardView>>;

export type ViewName = keyof typeof views;

export const viewNames = Object.keys(views) as ViewName[];

/** Paths of all pages that the menu links to. */
export const pagePaths = [
  ...new Set(Object.values(views).flatMap(({ path }) => (typeof path === 'string' ? [path] : []))),
];

/** Opens a view and waits until loading and animations have finished. `projectUrl` is the base URL of the project. */
export async function showView(
  page: Page,
  projectUrl: string,
  tenant: SeededTenant,
  name: ViewName,
): Promise<void> {
  const { path, act }: DashboardView = views[name];
  await showPage(page, `${projectUrl}/${typeof path === 'string' ? path : path(tenant)}`);
  await act?.(page);
  await waitUntilStable(page);
}

export async function showPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await waitUntilStable(page);
}

async function waitUntilStable(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await page.waitForFunction(() => {
    const isLoading = document.querySelector('[aria-label="Loading"]') !== null;
    return !isLoading && document.getAnimations().every(({ playState }) => playState !== 'running');
  });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
