import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type GraphqlClient, graphqlClient } from '../support/api/graphql-client.ts';

import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const settings = 'ocr { mode languages maxPages }';
const defaults = { mode: 'AUTO', languages: ['eng'], maxPages: 50 };

let service: TestService;
let root: GraphqlClient;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  root = graphqlClient(service.url, await service.token({ role: 'service_role' }));
});
beforeEach(async () => {
  tenant = await service.createTenant();
});

const update = `mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { ${settings} } }`;

async function set(ocr: object): Promise<object> {
  const { updateProject } = await root.data<{ updateProject: { ocr: object } }>(update, {
    input: { id: tenant.projectId, ocr },
  });
  return updateProject.ocr;
}

test('a project reads images and scans by default, and null restores a default', async () => {
  const { project } = await root.data<{ project: object }>(
    `query ($id: ID!) { project(id: $id) { ${settings} } }`,
    { id: tenant.projectId },
  );
  expect(project).toEqual({ ocr: defaults });
  const changed = { mode: 'ON', languages: ['deu', 'eng'], maxPages: 120 };
  expect(await set(changed)).toEqual(changed);
  expect(await set({ maxPages: 7 })).toEqual({ ...changed, maxPages: 7 });
  expect(await set({ mode: null, languages: null, maxPages: null })).toEqual(defaults);
});

test.each([
  [{ languages: [] }, 'ocr.languages'],
  [{ languages: ['../eng'] }, 'ocr.languages'],
  [{ languages: ['eng', 'deu', 'fra', 'spa', 'ita', 'por'] }, 'ocr.languages'],
  [{ maxPages: 0 }, 'ocr.maxPages'],
  [{ maxPages: 201 }, 'ocr.maxPages'],
])('%j is refused', async (ocr, field) => {
  const { errors } = await root.send(update, { input: { id: tenant.projectId, ocr } });
  expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  expect(JSON.stringify(errors)).toContain(field);
});

test('an uploaded image is read unless OCR is off', async () => {
  const client = await tenant.rest();
  const bytes = readFileSync(new URL('../fixtures/scans/page.webp', import.meta.url));
  const upload = async (name: string) => {
    const response = await client.upload(
      '/knowledge/documents/upload',
      new File([Uint8Array.from(bytes)], name),
    );
    const { id, mimeType } = await response.json();
    expect(mimeType).toBe('image/webp');
    const read = async () => (await client.get(`/knowledge/documents/${id}`)).json();
    await expect
      .poll(async () => (await read()).status, { timeout: 60_000 })
      .not.toBe('PROCESSING');
    return read();
  };
  expect(await upload('spa.webp')).toMatchObject({ status: 'READY' });
  await set({ mode: 'OFF' });
  expect(await upload('other.webp')).toMatchObject({
    status: 'FAILED',
    error: { code: 'UNSUPPORTED_FILE', message: expect.stringContaining('OCR is turned off') },
  });
}, 120_000);
