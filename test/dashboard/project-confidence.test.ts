import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRatedAnswers } from '../support/evaluation/rated-answers.ts';
import { chromiumPath, type OpenPage } from '../support/pages/browser.ts';
import { type DashboardTest, startDashboardTest } from '../support/pages/dashboard.ts';
import { findPageViolations } from '../support/pages/page-violations.ts';

describe.skipIf(chromiumPath === undefined)('the confidence of a project', () => {
  let test: DashboardTest;
  let owner: OpenPage;
  let page: Page;
  beforeAll(async () => {
    test = await startDashboardTest();
    owner = await test.member('owner@harbour.example', 'OWNER');
    page = owner.page;
  });
  afterAll(() => test?.stop());

  const promises = () => page.getByRole('list', { name: 'Promises' });

  it('says what it needs as long as there are no answers', async () => {
    await page.goto(`${test.service.url}/dashboard/${test.tenant.projectId}/evaluation`);
    await page.getByRole('link', { name: 'Confidence in this project' }).click();
    await page.getByText('No answer was rated or judged yet.').waitFor();
    await page.getByText('Not enough answers yet.').waitFor();
    await page.getByText('From 20 answers on, a chart shows').waitFor();
    await promises().getByText('Needs at least 59 answers, all of them right.').waitFor();
    expect(await findPageViolations(page)).toEqual([]);
  });

  it('shows the share of accepted answers, and sets the threshold of a promise', async () => {
    const { projectId } = test.tenant;
    const rated = [0.9, 0.7, 0.5].flatMap((confidence) =>
      Array.from({ length: 100 }, (_, n) => ({
        ...{ confidence, retrievalConfidence: confidence },
        rating: confidence === 0.5 && n < 60 ? ('DOWN' as const) : ('UP' as const),
      })),
    );
    await addRatedAnswers(test.service, projectId, rated);
    await page.reload();
    await page.getByText('300 answers: 300 rated by end users, 0 from question sets.').waitFor();
    await page.getByText('the curve is more accurate than the confidence').waitFor();
    await page.getByText('Show as a table').first().click();
    const table = page.getByRole('region', { name: 'Accepted answers by confidence' });
    expect(await table.getByRole('row').count()).toBe(22);
    await page.getByText('Show as a table').last().click();
    const curve = page.getByRole('region', { name: 'Confidence thresholds' });
    const row = curve.getByRole('row', { name: /^55/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      '200',
      '0\u00a0%',
      '33.3\u00a0%',
    ]);
    await curve.getByRole('columnheader', { name: 'Refused, sets' }).waitFor({ state: 'detached' });
    await page.getByText('Now the confidence threshold is 47\u00a0%.').waitFor();
    await promises()
      .getByText(
        'Confidence threshold 70\u00a0%. 0 of 200 answers wrong: 0\u00a0%, at most 1.5\u00a0%.',
      )
      .first()
      .waitFor();
    await promises().getByText('Needs at least 299 answers').waitFor({ state: 'detached' });
    expect(await findPageViolations(page)).toEqual([]);

    await page
      .getByRole('button', { name: 'Use the threshold for at most 2\u00a0% wrong answers' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    await page.getByText('Now the confidence threshold is 70\u00a0%.').waitFor();
    const project = await test.service.system.db.project.findFirst({ where: { id: projectId } });
    expect(project?.confidenceThreshold).toBe(0.7);

    await page.getByText('Question sets', { exact: true }).click();
    await page.getByText('No answer was rated or judged yet.').waitFor();
    expect(owner.errors).toEqual([]);
  });

  it('cannot be changed by a viewer', async () => {
    const viewer = await test.member('viewer@harbour.example', 'VIEWER');
    const { projectId } = test.tenant;
    await viewer.page.goto(`${test.service.url}/dashboard/${projectId}/evaluation/confidence`);
    await viewer.page.getByText('At most 2\u00a0% of the given answers are wrong').waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Use the threshold/ }).count()).toBe(0);
  });
});
