import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDueEvaluations } from '../../src/domain/evaluation/start-due-evaluations.ts';
import { replyToConversation } from '../../src/domain/handoff/reply-to-conversation.ts';
import { resolveHandoff } from '../../src/domain/handoff/resolve-handoff.ts';
import { takeOverConversation } from '../../src/domain/handoff/take-over-conversation.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import { chromiumPath, type OpenPage, seriousViolations } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

const longText = 'A very long word without any space: '.concat('wardrobe'.repeat(60));

describe.skipIf(chromiumPath === undefined)('evaluations', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  beforeAll(async () => {
    test = await startDashboardTest();
    await addDocuments(test.service, test.tenant.projectId, {
      'sauna.md': '# Sauna\n\nThe sauna opens at noon. Towels cost 3 euros.',
      'boats.md': '# Boats\n\nKayaks are rented at the pier. A kayak costs 12 euros per hour.',
    });
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
  });
  afterAll(() => test?.stop());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = (opened = page) =>
    opened.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/evaluation`);
  const inDialog = (name: string) => page.getByRole('dialog', { name });
  const expectNoViolations = async () => expect(await findPageViolations(page)).toEqual([]);

  it('of a set: it is created, filled by a form and by a file, renamed', async () => {
    await open();
    await page.getByText('No question sets yet').waitFor();
    await button('Create a set').click();
    await inDialog('Create a question set').getByLabel('Name').fill('Front desk');
    await page.keyboard.press('Enter');
    await page.getByText('No questions yet').waitFor();
    expect(await button('Start a run').isDisabled()).toBe(true);

    await button('Add a question').click();
    const form = inDialog('Add a question');
    await form.getByRole('textbox', { name: /^Question/ }).fill('How much does a kayak cost?');
    await form.getByLabel('Expected texts').fill('12 euros | €12\nper hour');
    await form.getByLabel('Expected document').fill('boats.md');
    await form.getByLabel('Tags').fill('prices, boats');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Expected: “12 euros” or “€12” and “per hour”').waitFor();
    await page.getByText('1 question · version 2').waitFor();

    await button('Import questions').click();
    const imports = inDialog('Import questions');
    const text = imports.getByLabel('Questions as CSV or JSON Lines');
    const send = imports.getByRole('button', { name: 'Import' });
    expect(await send.isDisabled()).toBe(true);
    await text.fill('{"question": "When does it open?"}\n\n{"question": ""}\nno JSON');
    await send.click();
    const problems = imports.getByRole('alert').getByRole('listitem');
    await problems.first().waitFor();
    expect(await problems.allTextContents()).toEqual([
      'Line 3: question must not be blank',
      'Line 4: is not a JSON object',
    ]);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await test.service.system.db.setQuestion.count()).toBe(1);

    const input = imports.locator('input[type=file]');
    const choose = (name: string, content: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
      input.setInputFiles({
        ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content, encoding) },
      });
    const rows = [
      'Question;Expected;mustRefuse;',
      'When does the sauna open?;midnight;;',
      `Who won? ${longText};;WAHR;`,
    ];
    await choose(
      'questions.csv',
      `\ufeff${rows.join('\r\n')}\r\nWas ist geöffnet?;;;\r\n`,
      'latin1',
    );
    await imports.getByText('In Excel, save it as "CSV UTF-8"').waitFor();
    await choose('questions.csv', `\ufeff${rows.join('\r\n')}\r\n;;;\r\n`);
    await send.click();
    await problems.getByText('Line 3: mustRefuse must be true or false').waitFor();
    // Otherwise the browser would ignore the same file when it is chosen again.
    expect(await input.inputValue()).toBe('');
    const right = `\ufeff${rows.join('\r\n').replace('WAHR', 'TRUE')}\r\n;;;\r\n`;
    await choose('questions.csv', right);
    await problems.first().waitFor({ state: 'detached' });
    await send.click();
    await page.getByText('2 questions imported', { exact: true }).waitFor();
    await page.getByText('3 questions · version 3').waitFor();
    await page.getByText('Expected: the assistant refuses').waitFor();
    await expectNoViolations();

    await button('Import questions').click();
    await choose('questions.csv', right);
    await send.click();
    await page.getByText('0 questions imported, 2 already there').waitFor();
    await page.getByText('3 questions · version 3').waitFor();

    await button('Edit How much does a kayak cost?').click();
    const edited = inDialog('Edit the question');
    expect(await edited.getByLabel('Expected texts').inputValue()).toBe('12 euros | €12\nper hour');
    await edited.getByLabel('Tags').fill('prices');
    await edited.getByRole('button', { name: 'Save' }).click();
    await page.getByText('3 questions · version 4').waitFor();
    await page.getByText('Expected: “12 euros” or “€12” and “per hour”').waitFor();
    await button('Add a question').click();
    await form.getByRole('textbox', { name: /^Question/ }).fill('Is there tea?');
    await form.getByRole('button', { name: 'Add' }).click();
    await button('Delete Is there tea?').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 questions · version 6').waitFor();

    await page.getByRole('link', { name: 'All question sets' }).click();
    await button('Rename Front desk').click();
    await inDialog('Rename the question set').getByLabel('Name').fill('Reception');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Reception', exact: true }).click();
  });

  it('of a set: questions are taken from conversations', async () => {
    const { service, tenant } = test;
    const { projectId } = tenant;
    const conversationId = await addConversation(service, projectId, {
      messages: ['Do you deliver to Norway?', 'I could not find this in the documents.'],
    });
    await addConversation(service, projectId, { messages: [`Why? ${longText}`, 'No idea.'] });
    await service.system.db.message.updateMany({
      where: { projectId, role: 'ASSISTANT' },
      data: { confidence: 0.1 },
    });
    const agent = 'grace@harbour.example';
    await test.member(agent, 'AGENT');
    const { id } = await takeOverConversation(service.system, { projectId, conversationId, agent });
    await replyToConversation(service.system, {
      ...{ projectId, conversationId, agent },
      content: 'Yes, within five days.',
    });
    await resolveHandoff(service.system, { projectId, handoffId: id });

    await open();
    await button('Create a set').click();
    await inDialog('Create a question set').getByLabel('Name').fill('From people');
    await page.keyboard.press('Enter');
    await button('From conversations').click();
    const dialog = inDialog('Questions from conversations');
    const row = dialog.getByRole('listitem').filter({ hasText: 'Norway' });
    await row.getByText('Resolved by an agent').waitFor();
    await row.getByText('I could not find this in the documents.').waitFor();
    await row.getByText('Yes, within five days.').waitFor();
    expect(
      await row.getByRole('link', { name: 'Open the conversation' }).getAttribute('href'),
    ).toBe(`/dashboard/${projectId}/conversations/${conversationId}`);
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Add questions' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Select all on this page').check();
    await row.getByLabel('Expected texts').fill('five days | 5 days');
    const other = dialog.getByRole('listitem').filter({ hasText: 'wardrobe' });
    await other.getByText('Not answered').waitFor();
    await other.getByLabel('Must refuse').check();
    await expectNoViolations();
    await dialog.getByRole('button', { name: 'Add 2 questions' }).click();
    await page.getByText('2 questions · version 2').waitFor();
    const { db } = test.service.system;
    // So that the questions are erased with their end users.
    const taken = await db.setQuestion.findMany({ where: { conversationId: { not: null } } });
    expect(taken).toHaveLength(2);
    await page.getByText('Expected: “five days” or “5 days”').waitFor();
    await page.getByText('Expected: the assistant refuses').waitFor();

    await button('From conversations').click();
    await dialog.getByText('No questions to propose').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All question sets' }).click();
    await button('Delete From people').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Reception', exact: true }).click();
  });

  it('run with the settings of the project: figures, reliability and failed answers', async () => {
    await button('Start a run').click();
    await inDialog('Start a run').getByRole('button', { name: 'Start' }).click();
    const figure = page.getByRole('group', { name: 'Answer contains what is expected' });
    await figure.getByText('2 questions').waitFor();
    await figure.getByText('50\u00a0%').waitFor();
    await page.getByRole('group', { name: 'Refused rightly' }).getByText('1 question').waitFor();
    await page.getByText('Show as a table').click();
    const table = page.getByRole('region', { name: 'Steps of confidence' });
    expect(await table.getByRole('row').count()).toBeGreaterThan(1);

    const results = page.getByRole('list', { name: 'Results' });
    await results.getByText('As expected').first().waitFor();
    await results.getByRole('list', { name: 'Sources' }).first().waitFor();
    await page.getByText('Failed', { exact: true }).click();
    await page.getByText('1 of 3 answers failed').waitFor();
    await button('Why this answer? Answer 1').click();
    const drawer = inDialog('Why this answer?');
    await drawer.getByText('When does the sauna open?').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(await results.getByText('Expected text is missing').count()).toBe(1);
    expect(await results.getByText('Expected: “midnight”').count()).toBe(1);
    await expectNoViolations();
  });

  it('run with another threshold, and are compared', async () => {
    await page.getByRole('link', { name: 'The question set' }).click();
    await button('Start a run').click();
    const dialog = inDialog('Start a run');
    await dialog.getByLabel('Try another confidence threshold').fill('100');
    const model = dialog.getByLabel('Try another embedding model');
    await model.fill('built-in/no-such-model');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.getByText('this installation has no built-in/no-such-model').waitFor();
    await model.fill('built-in/all-MiniLM-L6-v2');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page
      .getByText('confidence threshold 100\u00a0%, embedding model built-in/all-MiniLM-L6-v2')
      .waitFor();
    await page.getByRole('combobox', { name: 'Compare with another run of this set' }).click();
    await page.getByRole('option').click();
    await page.getByRole('heading', { name: 'Comparison of two runs' }).waitFor();
    const row = page.getByRole('row', { name: /^Refused wrongly/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      '0\u00a0%',
      '100\u00a0%',
      'Too few to tell',
    ]);
    const changed = page.getByRole('list', { name: 'Changed questions' });
    await changed.getByText('How much does a kayak cost?').waitFor();
    await changed.getByText('Refused wrongly').first().waitFor();
    await expectNoViolations();
  });

  it('run on a schedule, which shows the bounds and the runs that are outside them', async () => {
    await open();
    await page.getByRole('link', { name: 'Reception', exact: true }).click();
    await button('Schedule').click();
    const dialog = inDialog('Schedule');
    const interval = dialog.getByRole('combobox', { name: 'Ask the questions' });
    const choose = async (name: string) => {
      await interval.click();
      await page.getByRole('option', { name }).click();
    };
    await choose('Every day');
    const contains = dialog.getByLabel('Answer contains what is expected');
    await contains.fill('95');
    await dialog.getByLabel('95th percentile of the time').fill('60000');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Asked every day, next').waitFor();
    const bounds =
      'Answer contains what is expected at least 95\u00a0% · 95th percentile of the time';
    await page.getByText(`Bounds: ${bounds} at most 60 s`).waitFor();

    const { db } = test.service.system;
    const { projectId } = test.tenant;
    await db.questionSet.updateMany({ where: { projectId }, data: { nextRunAt: new Date(0) } });
    await startDueEvaluations(test.service.adapters, new AbortController().signal);
    await page.reload();
    const runs = page.getByRole('list', { name: 'Runs' });
    await runs.getByText('outside its bounds').waitFor();
    expect(await runs.getByText('scheduled', { exact: true }).count()).toBe(1);
    const figures = [
      'Answer contains what is expected 50\u00a0%',
      'First citation is right 100\u00a0%',
      'Refused rightly 100\u00a0%',
      'Refused wrongly 0\u00a0%',
    ].join(' · ');
    expect(await runs.getByText(figures, { exact: true }).count()).toBe(2);
    const course = page.getByRole('group', { name: 'Course of the figures' });
    await course.getByText('Show as a table').click();
    // The run that tried another threshold is left out.
    expect(await course.getByRole('row').count()).toBe(1 + 2);
    expect(await course.getByRole('columnheader').allTextContents()).toEqual([
      'Run',
      'Answer contains what is expected',
      'First citation is right',
      'Refused rightly',
    ]);
    await expectNoViolations();
    await runs.getByRole('link').first().click();
    await page
      .getByText('Answer contains what is expected: 50\u00a0%, must be at least 95\u00a0%')
      .waitFor();
    await expectNoViolations();

    await page.getByRole('link', { name: 'The question set' }).click();
    await button('Schedule').click();
    expect(await contains.inputValue()).toBe('95 %');
    await choose('Only by hand');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Asked every day, next').waitFor({ state: 'detached' });
    expect(await db.questionSet.count({ where: { projectId, everyHours: null } })).toBe(1);
  });

  it('are cancelled, and deleted with their set', async () => {
    const { db } = test.service.system;
    const { projectId } = test.tenant;
    const run = await db.evaluationRun.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const active = { status: 'RUNNING', finishedAt: null, done: 1 } as const;
    await db.evaluationRun.update({ where: { id: run.id, projectId }, data: active });
    await page.goto(`${test.service.url}/dashboard/${projectId}/evaluation/runs/${run.id}`);
    await page.getByText('1 of 3 questions asked').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await button('Cancel the run').click();
    await page.getByText('cancelled', { exact: true }).waitFor();
    await button('Cancel the run').waitFor({ state: 'detached' });

    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    await open(viewer.page);
    await viewer.page.getByRole('link', { name: 'Last run of Reception' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: /set|Reception/ }).count()).toBe(0);

    await open();
    await button('Delete Reception').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No question sets yet').waitFor();
    expect(owner.errors).toEqual([]);
  });
});
