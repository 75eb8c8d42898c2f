import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRatedAnswers, type RatedAnswer } from '../support/evaluation/rated-answers.ts';
import { chromiumPath } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';

describe.skipIf(chromiumPath === undefined)('the settings of answers', () => {
  let test: DashboardTest;
  beforeAll(async () => {
    test = await startDashboardTest();
  });
  afterAll(() => test?.stop());

  const url = () => `${test.service.url}/dashboard/${test.tenant.projectId}/settings/answers`;
  const threshold = async () =>
    (
      await test.service.system.db.project.findUniqueOrThrow({
        where: { id: test.tenant.projectId },
      })
    ).confidenceThreshold;

  it('set a threshold, and show its effect once enough answers are rated', async () => {
    const { page, errors } = await test.member('owner@harbour.example', 'OWNER');
    await page.goto(url());
    const effect = page.getByRole('group', { name: 'Effect of the confidence threshold' });
    await effect.getByText('Not enough ratings yet. 0 ratings in the last 90 days.').waitFor();
    await effect
      .getByText('With a confidence threshold of 47 %, there were no questions')
      .waitFor();
    expect(await effect.locator('svg').count()).toBe(0);

    // 24 rated answers. Those with a confidence below 60 % were not helpful.
    const answers: RatedAnswer[] = Array.from({ length: 24 }, (_, index) => ({
      retrievalConfidence: 0.42 + index / 50,
      rating: index < 9 ? 'DOWN' : 'UP',
    }));
    await addRatedAnswers(test.service, test.tenant.projectId, answers);
    await page.reload();
    await effect.locator('svg').waitFor();
    await page
      .getByRole('radio', { name: 'Another confidence threshold for this project' })
      .check();
    const input = page.getByLabel('Confidence threshold in percent', { exact: true });
    await input.fill('60');
    await effect
      .getByText(
        'With a confidence threshold of 60 %, 15 of 24 questions (62.5 %) of the last 90 days would have been answered. 15 of 24 rated answers (62.5 %) would have been given. Of these, 15 were helpful (100 %).',
      )
      .waitFor();
    await effect.getByText('Show as a table').click();
    await effect.getByRole('row', { name: '60 % 15 62.5 % 100 % 15', exact: true }).waitFor();
    const slider = page.getByRole('slider');
    await slider.press('ArrowRight');
    expect(await input.inputValue()).toBe('65 %');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await threshold()).toBe(0.65);

    await page.reload();
    expect(await input.inputValue()).toBe('65 %');
    await page.getByRole('radio', { name: 'Default: 47 %' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await threshold()).toBeNull();
    expect(errors).toEqual([]);
  });

  it('set what OCR reads, and name a language that cannot be one', async () => {
    const { page, errors } = await test.member('admin@harbour.example', 'ADMIN');
    await page.goto(url());
    const group = page.getByRole('group', { name: 'Images and scans' });
    await group.getByLabel('Read by OCR').selectOption('ON');
    await group.getByLabel('Pages').fill('80');
    await group.getByLabel('Languages').fill('German eng');
    await page.getByRole('button', { name: 'Save' }).click();
    await group.getByText('Must be 1 to 5 names of languages').waitFor();
    await group.getByLabel('Languages').fill('deu eng');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { projectId } = test.tenant;
    const project = await test.service.system.db.project.findUniqueOrThrow({
      where: { id: projectId },
    });
    expect(project).toMatchObject({ ocrMode: 'ON', ocrLanguages: ['deu', 'eng'], ocrPages: 80 });
    expect(errors).toEqual([]);
  });

  it('are read-only for members', async () => {
    const { page, errors } = await test.member('viewer@harbour.example', 'VIEWER');
    await page.goto(url());
    expect(await page.getByRole('radio', { name: 'Default: 47 %' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.getByText('Language model').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

describe.skipIf(chromiumPath === undefined)('the settings of a language model', () => {
  let models: OpenAiServer;
  let test: DashboardTest;
  beforeAll(async () => {
    models = await startOpenAiServer();
    test = await startDashboardTest({
      openAi: models.chatModelConfig,
      chat: {
        ...{ temperature: 0.4, reasoningEffort: null, maxOutputTokens: null },
        ...{ timeoutMs: 20_000, maxContextChunks: 8, maxContextTokens: 4_000, maxSectionTokens: 0 },
      },
    });
  });
  afterAll(async () => {
    await test?.stop();
    await models?.close();
  });

  it('replace those of the installation within its limits, until they are emptied', async () => {
    const { page, errors } = await test.member('owner@harbour.example', 'OWNER');
    const { projectId } = test.tenant;
    await page.goto(`${test.service.url}/dashboard/${projectId}/settings/answers`);
    await page.getByText('Default: none. The language model itself decides').waitFor();
    const group = page.getByRole('group', { name: 'Language model' });
    const temperature = group.getByLabel('Temperature');
    expect(await temperature.getAttribute('placeholder')).toBe('0.4 (installation)');
    await temperature.fill('1.2');
    await group.getByLabel('Reasoning effort').fill('low');
    await group.getByLabel('Passages').fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await group.getByText("Must be at most 8, the installation's limit").waitFor();
    await group.getByLabel('Passages').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const stored = () =>
      test.service.system.db.project.findUniqueOrThrow({ where: { id: projectId } });
    expect(await stored()).toMatchObject({
      ...{ chatTemperature: 1.2, chatReasoningEffort: 'low', chatContextChunks: 3 },
      ...{ chatMaxOutputTokens: null, chatContextTokens: null, confidenceThreshold: null },
    });

    await page.reload();
    expect(await temperature.inputValue()).toBe('1.2');
    await temperature.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ chatTemperature: null, chatReasoningEffort: 'low' });
    expect(errors).toEqual([]);
  });
});
