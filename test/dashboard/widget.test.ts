import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimHandoff } from '../../src/domain/handoff/claim-handoff.ts';
import { releaseHandoff } from '../../src/domain/handoff/release-handoff.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { takeOverConversation } from '../../src/domain/handoff/take-over-conversation.ts';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import { updateProject } from '../../src/domain/organizations/projects.ts';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { makeWidget } from '../support/api/visitor-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import {
  chromiumPath,
  type OpenPage,
  seriousViolations,
  signIn,
} from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type HostPage, startHostPage } from '../support/pages/host-page.ts';
import { type FaultProxy, startFaultProxy } from '../support/servers/fault-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

const evil = `<img src=x onerror="window.isHurt=1"><script>window.isHurt=1</script>`;
const testTimeoutMs = 300_000;
const pollOptions = { timeout: 45_000, interval: 200 };

it('the script is smaller than 30 kB, compressed', async () => {
  const script = await readFile('src/widget/generated/widget.js');
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(30 * 1024);
});

describe.skipIf(chromiumPath === undefined)('the widget', () => {
  let test: DashboardTest;
  let host: HostPage;
  let key: string;
  let attributes: string;
  beforeAll(async () => {
    test = await startDashboardTest();
    host = await startHostPage(test.service.url, () => `data-key="${key}" ${attributes}`);
    key = await makeWidget(test.service, test.tenant.projectId, [host.url]);
    attributes = 'data-title="Ask the harbour" data-color="#0f766e"';
    await addDocuments(test.service, test.tenant.projectId, {
      'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
      [`Laundry ${evil}`]: `The laundry is open on Tuesdays. ${evil} It closes at noon.`,
    });
  }, testTimeoutMs);
  afterAll(async () => {
    await host?.stop();
    await test?.stop();
  });

  const visit = (options?: BrowserContextOptions) => visitPage(test.browser, host.url, options);

  it(
    'answers with sources on a page with a strict policy, and recognizes a returning visitor',
    async () => {
      const { page, errors: complaints } = await visit();
      const chat = await openChat(page);
      expect(await chat.getByText('You are chatting with an AI assistant.').isVisible()).toBe(true);
      await ask(chat, 'When is breakfast served?');
      const answer = chat.getByRole('listitem').filter({ hasText: 'from seven to ten' });
      await answer.getByText('AI assistant', { exact: true }).waitFor();
      const source = chat.getByRole('list', { name: 'Sources' });
      await source.getByText('Guest guide').waitFor();
      const quote = source.getByText('Breakfast is served from seven to ten in the winter garden.');
      expect(await quote.isVisible()).toBe(false);
      await chat.getByRole('button', { name: 'Source 1' }).click();
      await quote.waitFor();
      await expect
        .poll(() => announced(page), pollOptions)
        .toEqual([expect.stringMatching(/from seven to ten(?!.*\[1\])/)]);
      await chat.getByRole('button', { name: 'Helpful', exact: true }).click();
      await chat.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);

      await page.reload();
      await openChat(page);
      await answer.first().waitFor();
      await chat.getByText('When is breakfast served?').waitFor();
      expect(await announced(page)).toEqual([]);
      await chat.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor();
      await chat.getByRole('button', { name: 'New conversation' }).click();
      await expect.poll(() => answer.count(), pollOptions).toBe(0);
      expect(complaints).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'sends the attributes of the tag, and goes on without those that the service refuses',
    async () => {
      const tag = attributes;
      attributes = `${tag} data-attributes='{"plan":"pro","seats":12}'`;
      const { page, errors: complaints } = await visit();
      attributes = tag;
      const chat = await openChat(page);
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('from seven to ten').first().waitFor();
      const { db } = test.service.system;
      const where = {
        projectId: test.tenant.projectId,
        visitorAttributes: { path: ['plan'], equals: 'pro' },
      };
      const stored = () => db.conversation.findFirst({ where });
      await expect
        .poll(stored, pollOptions)
        .toMatchObject({ visitorAttributes: { plan: 'pro', seats: 12 } });

      await page.evaluate(() => {
        const { GroundedChat } = window as unknown as {
          GroundedChat: { setAttributes(attributes: object): void };
        };
        GroundedChat.setAttributes({ plan: [1], seats: 13 });
      });
      await ask(chat, 'Where is breakfast?');
      const answers = async () =>
        db.message.count({
          where: {
            conversationId: (await stored())?.id ?? '',
            role: 'ASSISTANT',
            status: 'COMPLETED',
          },
        });
      await expect.poll(answers, pollOptions).toBe(2);
      expect(complaints).toEqual([
        expect.stringContaining('400'),
        'grounded-chat: attributes.plan must be a string, a number or a boolean.',
      ]);
      expect(await stored()).toMatchObject({ visitorAttributes: { plan: 'pro', seats: 12 } });
    },
    testTimeoutMs,
  );

  it(
    'is usable by keyboard only, and restores the focus',
    async () => {
      const { page, errors: complaints } = await visit({
        reducedMotion: 'reduce',
        colorScheme: 'dark',
      });
      const launcher = page.getByRole('button', { name: 'Open the chat' });
      await launcher.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const chat = page.getByRole('dialog');
      await expect
        .poll(() => chat.getByLabel('Your question').isEditable(), pollOptions)
        .toBe(true);
      await page.waitForFunction(
        () => document.activeElement?.shadowRoot?.activeElement?.id === 'message',
      );
      await page.keyboard.type('When is breakfast served?');
      await page.keyboard.press('Enter');
      await chat.getByText('Guest guide').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await chat.waitFor({ state: 'hidden' });
      const focused = () =>
        page.evaluate(() =>
          document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label'),
        );
      expect(await focused()).toBe('Open the chat');
      await page.evaluate(() =>
        (window as unknown as { GroundedChat: { open(): void } }).GroundedChat.open(),
      );
      await chat.waitFor();
      expect(complaints).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'shows that a request for a person in the chat has started a handoff',
    async () => {
      const { projectId: id } = test.tenant;
      await updateProject(test.service.system, { id, assistant: { humanRequest: 'START' } });
      const { page, errors: complaints } = await visit();
      const chat = await openChat(page);
      await ask(chat, 'I want to talk to a human');
      await chat.getByText('Our team has been notified and will answer you here.').waitFor();
      await chat.getByText('Our team has been notified and will answer here.').waitFor();
      expect(await chat.getByRole('button', { name: 'Talk to a human' }).count()).toBe(0);
      const handoff = await test.service.system.db.handoff.findFirstOrThrow({
        where: { projectId: id, status: 'REQUESTED' },
      });
      await claimHandoff(test.service.system, { handoffId: handoff.id });
      const { conversationId } = handoff;
      const reply = { conversationId, content: 'Ann here, how can I help?' };
      await replyToConversation(test.service.system, reply);
      await chat.getByText('Ann here, how can I help?').waitFor();
      await resolveHandoff(test.service.system, { handoffId: handoff.id });
      await updateProject(test.service.system, { id, assistant: { humanRequest: null } });
      expect(complaints).toEqual([]);
      await page.close();
    },
    testTimeoutMs,
  );

  it(
    'shows a reply in a conversation that the visitor has left for a new one',
    async () => {
      const { page, errors: complaints } = await visit({ viewport: { width: 390, height: 760 } });
      const chat = await openChat(page);
      const list = chat.getByRole('button', { name: /^Your conversations/ });
      await ask(chat, 'Where is the lost property office?');
      await chat.getByRole('button', { name: 'Talk to a human' }).click();
      expect(await list.count()).toBe(0);
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByText('Our team has been notified').waitFor();
      const handoff = await test.service.system.db.handoff.findFirstOrThrow({
        where: {
          status: 'REQUESTED',
          conversation: { title: 'Where is the lost property office?' },
        },
      });
      const { id: handoffId, conversationId } = handoff;
      await claimHandoff(test.service.system, { handoffId });
      await chat.getByText('You are talking to our team').waitFor();
      const reply = (content: string) =>
        replyToConversation(test.service.system, { conversationId, content });

      await chat.getByRole('button', { name: 'New conversation' }).click();
      await chat.getByText('Hello! Ask a question').waitFor();
      await list.waitFor();
      await reply('It is at the pier');
      await chat
        .getByRole('button', { name: 'Your conversations, 1 new message', exact: true })
        .waitFor();
      await expect
        .poll(() => announced(page), pollOptions)
        .toContain('1 new message in another conversation');
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').first().waitFor();

      await chat.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: /, 1 new message$/ }).waitFor();
      await page.reload();
      await reply('Ask for Ann');
      await page.getByRole('button', { name: /, 2 new messages$/ }).waitFor();
      await openChat(page);
      await chat.getByRole('button', { name: 'Your conversations, 2 new messages' }).click();
      expect(await seriousViolations(page)).toEqual([]);
      const unread = chat.getByRole('button', { name: /lost property.*2 new messages/ });
      await unread.waitFor();
      await chat.getByRole('button', { name: /breakfast served/ }).waitFor();
      await unread.click();
      await chat.getByText('Ask for Ann').waitFor();
      await chat.getByRole('button', { name: 'Your conversations', exact: true }).click();
      await chat.getByRole('button', { name: /breakfast served/ }).waitFor();
      expect(await unread.count()).toBe(0);
      await page.reload();
      await openChat(page);
      await chat.getByText('Ask for Ann').waitFor();
      await chat.getByRole('button', { name: 'New conversation' }).click();
      await chat.getByRole('button', { name: 'Your conversations', exact: true }).waitFor();
      await chat.getByRole('button', { name: 'Close' }).click();
      await reply('She is there until noon');
      await resolveHandoff(test.service.system, { handoffId });
      const launcher = page.getByRole('button', { name: 'Open the chat, 1 new message' });
      await launcher.waitFor();
      await expect
        .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })), pollOptions)
        .toContain(String.raw`\"isWaiting\":false`);
      await page.reload();
      await launcher.waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
    testTimeoutMs,
  );

  it(
    'connects a visitor to an agent, whose replies arrive while the visitor browses',
    async () => {
      const { organizationId } = test.tenant;
      const email = 'ann@harbour.example';
      await inviteMember(test.service.system, { organizationId, email, role: 'AGENT' });
      const agent = await signIn(test.browser, test.service, email);
      agent.page.setDefaultTimeout(60_000);

      const { page, errors: complaints } = await visit();
      const chat = await openChat(page);
      await ask(chat, 'What is the capital of France?');
      await chat.getByText("I don't know").waitFor();
      await chat.getByRole('button', { name: 'Talk to a human' }).click();
      expect(await chat.getByRole('button', { name: 'New conversation' }).count()).toBe(0);
      await chat.getByLabel('Name').fill(`Mira ${evil}`);
      await chat.getByLabel('E-mail').fill('nobody');
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      const emailField = chat.getByRole('textbox', {
        name: 'E-mail',
        description: 'Please check the e-mail address.',
      });
      await emailField.waitFor();
      expect(await emailField.evaluate((field) => field.matches(':focus'))).toBe(true);
      // Browsers accept this address, but the service does not.
      await chat.getByLabel('E-mail').fill('nobody@localhost');
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByRole('alert').getByText('check the e-mail address').waitFor();
      await emailField.waitFor();
      await chat.getByLabel('E-mail').fill('mira@example.com');
      await chat.getByLabel('What is it about?').fill('A bag that was lost');
      expect(await seriousViolations(page)).toEqual([]);
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByText('Our team has been notified').waitFor();

      await agent.page.getByRole('link', { name: /A bag that was lost/ }).click();
      await agent.page.getByRole('button', { name: 'Claim' }).click();
      await chat.getByText('You are talking to our team').waitFor();
      await agent.page
        .getByLabel('Your reply')
        .fill(`Good morning, Mira. ${evil} See https://harbour.example/lost.`);
      await agent.page.getByRole('button', { name: 'Send' }).click();
      const link = chat.getByRole('link', { name: 'https://harbour.example/lost' });
      await link.waitFor();
      expect(await link.getAttribute('href')).toBe('https://harbour.example/lost');
      expect(await link.getAttribute('rel')).toContain('noopener');
      await ask(chat, 'It is red');
      await agent.page
        .getByRole('region', { name: 'Conversation' })
        .getByText('It is red')
        .waitFor();
      expect(await chat.getByText('It is red').count()).toBe(1);
      // A visitor who is talking with an agent receives no holding message.
      expect(await chat.getByText('Someone from our team').count()).toBe(0);
      expect(await link.count()).toBe(1);

      await chat.getByRole('button', { name: 'Close' }).click();
      await page.reload();
      await agent.page.getByLabel('Your reply').fill('We have found it');
      await agent.page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: /1 new message$/ }).waitFor();
      await page.context().setOffline(true);
      await openChat(page);
      await chat.getByText('We have found it').waitFor();
      await agent.page.getByLabel('Your reply').fill('Come to the desk');
      await agent.page.getByRole('button', { name: 'Send' }).click();
      await page.context().setOffline(false);
      await chat.getByText('Come to the desk').waitFor();
      await agent.page.getByRole('button', { name: 'Return to the assistant' }).click();
      await chat.getByRole('button', { name: 'Talk to a human' }).waitFor();

      expect(await page.evaluate(() => 'isHurt' in window)).toBe(false);
      expect(await agent.page.evaluate(() => 'isHurt' in window)).toBe(false);
      // The browser itself logs the lost connection and the rejected request.
      const expected = /ERR_INTERNET_DISCONNECTED|status of 400/;
      expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'shows the newest message when it is opened, stays open from page to page, and says that it was closed',
    async () => {
      const { system } = test.service;
      const { page, errors: complaints } = await visit({ viewport: { width: 800, height: 500 } });
      const chat = await openChat(page);
      for (const question of ['When is breakfast served?', 'When is the laundry open?']) {
        await ask(chat, question);
        await chat.getByRole('button', { name: 'Send' }).waitFor();
      }
      await chat.getByRole('button', { name: 'Talk to a human' }).click();
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByText('Our team has been notified').waitFor();
      const handoff = await system.db.handoff.findFirstOrThrow({ orderBy: { id: 'desc' } });
      await claimHandoff(system, { handoffId: handoff.id });
      await chat.getByText('You are talking to our team').waitFor();
      await releaseHandoff(system, { handoffId: handoff.id });
      await chat.getByText('Our team has been notified').waitFor();
      await claimHandoff(system, { handoffId: handoff.id });
      await chat.getByText('You are talking to our team').waitFor();
      await chat.getByRole('button', { name: 'Close' }).click();
      await page.reload();
      const { conversationId } = handoff;
      await replyToConversation(system, { conversationId, content: 'It opens on Tuesdays.' });
      await page.getByRole('button', { name: /1 new message$/ }).click();
      const latest = chat.getByText('It opens on Tuesdays.');
      await expectInLog(chat, latest);

      await page.reload();
      await chat.waitFor();
      await expectInLog(chat, latest);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
      await page.getByRole('button', { name: 'Close the chat' }).waitFor();
      expect(await page.getByRole('button', { name: /new message/ }).count()).toBe(0);

      await resolveHandoff(system, { handoffId: handoff.id });
      await chat.getByText('This conversation was closed.').waitFor();
      await expectInLog(chat, latest);
      const { projectId } = test.tenant;
      const reopened = await takeOverConversation(system, { projectId, conversationId });
      await chat.getByText('You are talking to our team').waitFor();
      await replyToConversation(system, { conversationId, content: 'On Wednesdays, too.' });
      await chat.getByText('On Wednesdays, too.').waitFor();
      await resolveHandoff(system, { handoffId: reopened.id });
      await chat.getByText('This conversation was closed.').waitFor();
      await chat.getByRole('button', { name: 'Close' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Open the chat' }).waitFor();
      expect(await chat.isVisible()).toBe(false);
      expect(complaints).toEqual([]);
      await page.close();
    },
    testTimeoutMs,
  );

  it(
    'asks for the satisfaction with the agent, by keyboard, once, and lets the visitor change the rating',
    async () => {
      const { system } = test.service;
      await updateProject(system, { id: test.tenant.projectId, asksForSatisfaction: true });
      const { page, errors: complaints } = await visit({ viewport: { width: 390, height: 760 } });
      const chat = await openChat(page);
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').waitFor();
      await chat.getByRole('button', { name: 'Talk to a human' }).click();
      await chat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByText('Our team has been notified').waitFor();
      const { id: handoffId } = await system.db.handoff.findFirstOrThrow({
        orderBy: { id: 'desc' },
      });
      await claimHandoff(system, { handoffId });
      await chat.getByText('You are talking to our team').waitFor();
      const question = chat.getByRole('form', { name: 'How satisfied were you with our team?' });
      expect(await question.count()).toBe(0);
      const { conversationId } = await system.db.handoff.findUniqueOrThrow({
        where: { id: handoffId },
      });
      await replyToConversation(system, { conversationId, content: 'Enjoy your stay!' });
      await chat.getByText('Enjoy your stay!').waitFor();
      await resolveHandoff(system, { handoffId });
      await question.waitFor();
      await expectInLog(chat, chat.getByText('Enjoy your stay!'));
      expect(await seriousViolations(page)).toEqual([]);

      await question.getByRole('button', { name: '2: Dissatisfied' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await question.getByRole('button', { name: '4: Satisfied', pressed: true }).waitFor();
      const stored = () => system.db.handoffSatisfaction.findUnique({ where: { handoffId } });
      expect(await stored()).toMatchObject({ rating: 4, comment: null });
      await question.getByLabel('What was good').fill(evil);
      expect(await seriousViolations(page)).toEqual([]);
      await question.getByRole('button', { name: 'Send' }).click();
      await question.getByText('Thank you for your rating. (4 / 5)').waitFor();
      expect(await stored()).toMatchObject({ rating: 4, comment: evil });
      await page.keyboard.press('Enter');
      await question.getByRole('button', { name: '4: Satisfied', pressed: true }).waitFor();
      await question.getByRole('button', { name: '5: Very satisfied' }).click();
      await question.getByRole('button', { name: '5: Very satisfied', pressed: true }).waitFor();
      expect(await stored()).toMatchObject({ rating: 5, comment: evil });

      await page.reload();
      await openChat(page);
      await question.getByText('Thank you for your rating. (5 / 5)').waitFor();
      await question.getByRole('button', { name: 'Close' }).click();
      await question.waitFor({ state: 'hidden' });
      await page.reload();
      await openChat(page);
      await chat.getByText('This conversation was closed.').waitFor();
      expect(await question.count()).toBe(0);
      await updateProject(system, { id: test.tenant.projectId, asksForSatisfaction: false });
      expect(await page.evaluate(() => 'isHurt' in window)).toBe(false);
      expect(complaints).toEqual([]);
      await page.close();
    },
    testTimeoutMs,
  );

  it(
    'follows another tab: its messages, a new conversation and what was seen',
    async () => {
      const { system } = test.service;
      const { page, errors: complaints } = await visit();
      const chat = await openChat(page);
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Guest guide').waitFor();

      const other = await page.context().newPage();
      await other.goto(host.url);
      const otherChat = other.getByRole('dialog', { name: 'Ask the harbour' });
      await otherChat.getByText('When is breakfast served?').waitFor();
      await ask(otherChat, 'When is the laundry open?');
      await otherChat.getByText(/^Laundry/).waitFor();
      await chat.getByText('When is the laundry open?').waitFor();
      await chat.getByText(/^Laundry/).waitFor();

      await otherChat.getByRole('button', { name: 'Talk to a human' }).click();
      await chat.getByRole('button', { name: 'New conversation' }).click();
      await otherChat.getByLabel('Your question').waitFor();
      await expect.poll(() => otherChat.getByRole('listitem').count(), pollOptions).toBe(0);
      await ask(chat, 'Where is breakfast served?');
      await otherChat.getByText('Guest guide').waitFor();
      await otherChat.getByRole('button', { name: 'Talk to a human' }).click();
      await otherChat.getByRole('button', { name: 'Contact our team' }).click();
      await chat.getByText('Our team has been notified').waitFor();

      const handoff = await system.db.handoff.findFirstOrThrow({ orderBy: { id: 'desc' } });
      await claimHandoff(system, { handoffId: handoff.id });
      await otherChat.getByRole('button', { name: 'Close' }).click();
      const { conversationId } = handoff;
      await replyToConversation(system, { conversationId, content: 'In the winter garden.' });
      await chat.getByText('In the winter garden.').last().waitFor();
      const questions = await system.db.message.findMany({
        where: { conversationId, role: 'USER' },
      });
      expect(questions.map(({ content }) => content)).toEqual(['Where is breakfast served?']);
      await resolveHandoff(system, { handoffId: handoff.id });
      await chat.getByText('This conversation was closed.').waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    testTimeoutMs,
  );

  it(
    'counts a long message, and keeps all of it until it is short enough',
    async () => {
      const { page, errors: complaints } = await visit();
      const chat = await openChat(page);
      const field = chat.getByLabel('Your question');
      await field.fill(`${'🌊'.repeat(3_599)} ok`);
      await chat.getByText('3,602 / 4,000').waitFor();
      await field.fill('x'.repeat(4_001));
      await chat.getByText('4,001 / 4,000').waitFor();
      await chat.getByText('At most 4,000 characters.').waitFor();
      await field.press('Enter');
      expect(await field.inputValue()).toHaveLength(4_001);
      expect(await chat.getByRole('listitem').count()).toBe(0);
      expect(await seriousViolations(page)).toEqual([]);
      await field.fill('When is breakfast served?');
      expect(await chat.getByText('/ 4,000').isVisible()).toBe(false);
      await field.press('Enter');
      await chat.getByText('Guest guide').waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
    testTimeoutMs,
  );

  it(
    'shows text from documents, questions and the embedding page as plain text',
    async () => {
      attributes = `data-title="${evil.replaceAll('"', '&quot;')}" data-greeting="${evil.replaceAll('"', '&quot;')}"`;
      const { page, errors: complaints } = await visit({ viewport: { width: 390, height: 780 } });
      attributes = 'data-title="Ask the harbour" data-color="#0f766e"';
      await page.getByRole('button', { name: /^Open the chat/ }).click();
      const chat = page.getByRole('dialog');
      await ask(chat, `When is the laundry open? ${evil}`);
      await chat
        .getByRole('list', { name: 'Sources' })
        .getByText(/^Laundry/)
        .waitFor();
      await chat.locator('summary').first().click();
      expect(await chat.getByText('onerror').count()).toBeGreaterThan(3);
      expect(await chat.locator('img, script').count()).toBe(0);
      expect(await page.evaluate(() => 'isHurt' in window)).toBe(false);
      expect(await seriousViolations(page)).toEqual([]);
      const box = await chat.boundingBox();
      expect([box?.width, box?.height]).toEqual([390, 780]);
      expect(complaints).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    "uses the page's language, and shows out-of-hours messages after a reload",
    async () => {
      const { projectId } = test.tenant;
      const outOfHoursText = 'Ab Montag sind wir wieder da.';
      const businessHours = { timeZone: 'Europe/Berlin', weekly: [] };
      const assistant = { outOfHoursText, businessHours };
      await updateProject(test.service.system, { id: projectId, assistant });
      attributes = 'data-language="de-CH"';
      const { page, errors: complaints } = await visit();
      const launcher = page.getByRole('button', { name: 'Chat öffnen' });
      await launcher.click();
      const chat = page.getByRole('dialog', {
        name: 'Fragen Sie uns',
        description: 'Sie chatten mit einem KI-Assistenten.',
      });
      await chat.getByLabel('Ihre Frage').fill('When is breakfast served?');
      await chat.getByRole('button', { name: 'Senden' }).click();
      await chat.getByRole('list', { name: 'Quellen' }).waitFor();
      await chat.getByRole('button', { name: 'Mit einem Menschen sprechen' }).click();
      const form = chat.getByRole('form', { description: outOfHoursText });
      await form.getByText(outOfHoursText).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await form.getByRole('button', { name: 'Unser Team kontaktieren' }).click();
      await form.waitFor({ state: 'hidden' });
      await chat.getByText(outOfHoursText).filter({ visible: true }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.reload();
      await chat.getByText(outOfHoursText).filter({ visible: true }).waitFor();
      // If the project has no text of its own, the widget shows its built-in text in the language of the visitor.
      const builtIn = { outOfHoursText: null, businessHours };
      await updateProject(test.service.system, { id: projectId, assistant: builtIn });
      await page.reload();
      await chat.getByText('Unser Team ist gerade nicht da.').filter({ visible: true }).waitFor();

      await updateWidget(test.service.system, { projectId, aiNotice: 'Hier antwortet eine KI.' });
      await page.reload();
      const worded = page.getByRole('dialog', { description: 'Hier antwortet eine KI.' });
      await worded.waitFor();
      attributes = 'data-ai-notice="Seite: KI"';
      await page.reload();
      await page.getByRole('dialog', { description: 'Seite: KI' }).waitFor();
      await updateWidget(test.service.system, { projectId, aiNotice: null });
      attributes = 'data-title="Ask the harbour" data-color="#0f766e"';
      await updateProject(test.service.system, {
        id: projectId,
        assistant: { outOfHoursText: null, businessHours: null },
      });
      expect(complaints).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'is embedded from the dashboard, and reports where it is not allowed',
    async () => {
      const { projectId } = test.tenant;
      await updateWidget(test.service.system, { projectId, allowedOrigins: [] });
      const owner = await test.member('olga@harbour.example', 'OWNER');
      const dashboard = owner.page;
      await dashboard.goto(`${test.service.url}/dashboard/${projectId}/settings`);
      await dashboard.getByRole('tab', { name: 'Widget' }).click();
      await dashboard.getByText('No domain is allowed yet').waitFor();
      await dashboard
        .getByText(`<script src="${test.service.url}/widget.js" data-key="${key}" async>`)
        .waitFor();

      const { page } = await visit();
      const warnings: string[] = [];
      page.on('console', (message) => warnings.push(message.text()));
      const chat = await openChat(page);
      await chat.getByText('The chat is not available on this site.').waitFor();
      expect(warnings.join()).toContain(`not allowed on ${host.url}`);

      await dashboard.getByLabel('Add a domain').fill('http://harbour.example');
      await dashboard.getByRole('button', { name: 'Add', exact: true }).click();
      await dashboard.getByText('Must be domains such as').waitFor();
      await dashboard.getByLabel('Add a domain').fill(host.url);
      await dashboard.getByRole('button', { name: 'Add', exact: true }).click();
      await dashboard.getByRole('button', { name: `Remove ${host.url}` }).waitFor();
      expect(await seriousViolations(dashboard)).toEqual([]);

      await page.reload();
      await ask(await openChat(page), 'When is breakfast served?');
      await page.getByRole('dialog').getByText('Guest guide').waitFor();

      const origins = async () =>
        (await test.service.system.db.widget.findUniqueOrThrow({ where: { projectId } }))
          .allowedOrigins;
      const added = ['https://first.example', 'https://second.example'];
      // After this page was loaded, another administrator adds domains.
      await updateWidget(test.service.system, { projectId, allowedOrigins: [host.url, ...added] });
      await dashboard.getByRole('button', { name: 'Allow it' }).click();
      for (const origin of added) {
        await dashboard.getByRole('button', { name: `Remove ${origin}` }).click();
      }
      await expect.poll(origins, pollOptions).toEqual([host.url, test.service.url]);
      const preview = dashboard.context().waitForEvent('page');
      await dashboard.getByRole('link', { name: 'Open the preview page' }).click();
      const shown = await preview;
      await shown.getByRole('button', { name: 'Open the chat' }).click();
      await ask(shown.getByRole('dialog', { name: 'Ask us' }), 'When is breakfast served?');
      await shown.getByRole('dialog').getByText('Guest guide').waitFor();

      await dashboard.getByRole('button', { name: 'Replace the key…' }).click();
      await dashboard.getByRole('button', { name: 'Replace', exact: true }).click();
      await expect.poll(() => dashboard.getByText(key).count(), pollOptions).toBe(0);
      expect(owner.errors).toEqual([]);
      key = await makeWidget(test.service, projectId, [host.url]);
    },
    testTimeoutMs,
  );
});

describe.skipIf(chromiumPath === undefined)('on an unreliable connection the widget', () => {
  let models: OpenAiServer;
  let test: DashboardTest;
  let line: FaultProxy;
  let host: HostPage;
  let key: string;
  beforeAll(async () => {
    models = await startOpenAiServer();
    test = await startDashboardTest({
      openAi: models.chatModelConfig,
    });
    line = await startFaultProxy(test.service.url);
    host = await startHostPage(line.url, () => `data-key="${key}" data-title="Ask the harbour"`);
    key = await makeWidget(test.service, test.tenant.projectId, [host.url]);
    await addDocuments(test.service, test.tenant.projectId, {
      'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
    });
  }, testTimeoutMs);
  afterAll(async () => {
    await host?.stop();
    await line?.close();
    await test?.stop();
    await models?.close();
  });

  it.each([
    [
      'breaks',
      async () => {
        line.cut();
        line.restore();
      },
    ],
    [
      'falls silent',
      async (page: Page) => {
        line.freeze();
        await page.clock.fastForward(365_000);
      },
    ],
  ])(
    'shows the complete answer if the connection %s midway',
    async (_, fail) => {
      const { page } = await visitPage(test.browser, host.url);
      await page.clock.install();
      const chat = await openChat(page);
      const deltas = ['Breakfast ', 'is served ', 'from seven ', 'to ten ', 'every day [1].'];
      const failed = Promise.withResolvers<void>();
      models.script({ deltas, hold: { text: 'from seven', until: failed.promise } });
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('is served').waitFor();
      await fail(page);
      await chat.getByLabel('Looking for an answer').waitFor();
      expect(await chat.getByText('Breakfast is served').count()).toBe(1);
      failed.resolve();
      // The page notices the dead connections only when they time out, so the test moves the clock forward.
      const isWhole = async () => {
        await page.clock.fastForward(80_000);
        return chat.getByText('Guest guide').isVisible();
      };
      await expect.poll(isWhole, { ...pollOptions, interval: 1_000 }).toBe(true);
      expect(await chat.getByText('every day').count()).toBe(1);
    },
    testTimeoutMs,
  );

  it(
    'stops an answer that is no longer wanted, and keeps its partial text',
    async () => {
      const { page, errors: complaints } = await visitPage(test.browser, host.url);
      const chat = await openChat(page);
      models.script({
        deltas: ['Breakfast ', 'is served ', 'for ever '],
        end: 'stall',
        finishReason: null,
      });
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('is served').waitFor();
      await chat.getByRole('button', { name: 'Stop the answer' }).click();
      await chat.getByRole('button', { name: 'Send' }).waitFor();
      expect(await chat.getByText('Breakfast is served for ever').count()).toBe(1);
      expect(await chat.getByRole('button', { name: 'Stop the answer' }).count()).toBe(0);
      // The model first rewrites the question, because it is a follow-up.
      models.script(
        { deltas: ['Where is breakfast served?'] },
        { deltas: [], end: 'stall', finishReason: null },
      );
      const answerRequest = models.requests.length + 1;
      await ask(chat, 'Where is it served?');
      await models.request(answerRequest);
      await chat.getByRole('button', { name: 'Stop the answer' }).click();
      await chat.getByText('Stopped.').waitFor();

      await page.reload();
      await openChat(page);
      await chat.getByText('Breakfast is served for ever').waitFor();
      await chat.getByText('Stopped.').waitFor();
      const { db } = test.service.system;
      const last = await db.message.findMany({ orderBy: { id: 'desc' }, take: 3 });
      expect(last.map(({ role, status }) => [role, status])).toEqual([
        ['ASSISTANT', 'STOPPED'],
        ['USER', 'COMPLETED'],
        ['ASSISTANT', 'STOPPED'],
      ]);

      // An answer continues after the visitor leaves the page. The stop button stops an answer only if the current page
      // requested it.
      models.script(
        { deltas: ['Where is breakfast served?'] },
        { deltas: ['In the ', 'winter ', 'garden, '], end: 'stall', finishReason: null },
      );
      await ask(chat, 'Where is it served?');
      await chat.getByText(/^In the/).waitFor();
      await page.reload();
      await openChat(page);
      await chat.getByLabel('Looking for an answer').waitFor();
      models.script(
        { deltas: ['When is breakfast served until?'] },
        { deltas: ['At ten ', 'in the ', 'morning '], end: 'stall', finishReason: null },
      );
      await ask(chat, 'When is it served until?');
      await chat.getByText(/^At ten/).waitFor();
      const stop = chat.getByRole('button', { name: 'Stop the answer' });
      await stop.focus();
      await page.keyboard.press('Enter');
      await stop.waitFor({ state: 'hidden' });
      const focused = () =>
        page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.id);
      expect(await focused()).toBe('message');
      const answers = await db.message.findMany({
        where: { role: 'ASSISTANT' },
        orderBy: { id: 'desc' },
        take: 2,
      });
      expect(answers.map(({ status }) => status)).toEqual(['STOPPED', 'GENERATING']);
      expect(complaints).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'treats an error page of a proxy as temporary, and reports unsent messages',
    async () => {
      const { page } = await visitPage(test.browser, host.url);
      const widgetUrlPattern = /\/widget(\.js|\/v1\/)/;
      const lose = () => page.route(widgetUrlPattern, (route) => route.fulfill({ status: 502 }));
      const composerHasFocus = () =>
        page.waitForFunction(
          () => document.activeElement?.shadowRoot?.activeElement?.id === 'message',
        );
      await lose();
      const chat = await openChat(page);
      await chat.getByRole('status').getByText('There is no connection').waitFor();
      await page.unroute(widgetUrlPattern);
      await chat.getByRole('button', { name: 'Try again' }).click();
      await composerHasFocus();

      await lose();
      await ask(chat, 'When is breakfast served?');
      await chat.getByText('Not sent.').waitFor();
      expect(await announced(page)).toEqual(['Not sent. Check your connection.']);
      await page.unroute(widgetUrlPattern);
      models.script({ deltas: ['From seven to ten [1].'] });
      await chat.getByRole('button', { name: 'Try again' }).click();
      await composerHasFocus();
      await chat.getByText('Guest guide').waitFor();

      await page.reload();
      await page.route(/\/conversation$/, async (route) => {
        await chat.getByText('Until when?').waitFor();
        await route.continue();
      });
      // The model first rewrites the question, because it is a follow-up.
      models.script({ deltas: ['Until when is breakfast?'] }, { deltas: ['Until ten [1].'] });
      await ask(await openChat(page), 'Until when?');
      await chat.getByText('Guest guide').nth(1).waitFor();
      expect(await announced(page)).toEqual(['Until ten.']);
    },
    testTimeoutMs,
  );
});

/** Opens the host page in a separate browser context for one visitor. */
async function visitPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.addInitScript(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options);
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const text = target.parentNode === root ? target.textContent : null;
          if (text && (target as Element).matches('[aria-live]')) announced.push(text);
        }
      }).observe(root, { childList: true, subtree: true });
      return root;
    };
  });
  await page.goto(url);
  return { page, errors: complaints };
}

/** Returns the texts that a screen reader has announced. */
function announced(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { announced: string[] }).announced);
}

async function openChat(page: Page): Promise<Locator> {
  const launcher = page.getByRole('button', { name: /^(Open|Close) the chat/ });
  await launcher.waitFor();
  if ((await launcher.getAttribute('aria-expanded')) === 'false') await launcher.click();
  const chat = page.getByRole('dialog', { name: 'Ask the harbour' });
  await chat.waitFor();
  return chat;
}

/** Expects that the message is visible without scrolling. */
async function expectInLog(chat: Locator, message: Locator): Promise<void> {
  await message.waitFor();
  const isInside = async () => {
    const log = await chat.getByRole('region', { name: 'Conversation' }).boundingBox();
    const box = await message.boundingBox();
    if (log === null || box === null) return false;
    return box.y >= log.y && box.y + box.height <= log.y + log.height + 1;
  };
  await expect.poll(isInside, pollOptions).toBe(true);
}

async function ask(chat: Locator, question: string): Promise<void> {
  await chat.getByLabel('Your question').fill(question);
  await chat.getByLabel('Your question').press('Enter');
}
