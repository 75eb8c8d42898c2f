import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import type { RestClient } from '../support/api/rest-client.ts';
import { waitForDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const callers = 50;

let service: TestService;
let tenants: { tenant: Tenant; client: RestClient; secret: string }[];

beforeAll(async () => {
  service = await sharedService();
  tenants = await Promise.all(
    ['opal', 'amber'].map(async (secret) => {
      const tenant = await service.createTenant();
      const client = await tenant.rest();
      return { tenant, client, secret };
    }),
  );
});

test(`${callers} concurrent uploads and ${callers} concurrent questions all succeed, each in its own project`, {
  timeout: 180_000,
}, async () => {
  const pdf = await readFile('test/fixtures/handbook.pdf');
  const uploads = Array.from({ length: callers }, async (_, n) => {
    const owner = ownerOf(n);
    const file =
      n % 5 === 0
        ? new File([new Uint8Array(pdf)], `Handbook ${n}.pdf`)
        : new File([`The password of locker ${n} is ${owner.secret}${n}.`], `Locker ${n}.txt`);
    const response = await owner.client.upload('/knowledge/documents/upload', file);
    expect(response.status).toBe(201);
    return { n, id: (await response.json()).id };
  });
  const questions = Array.from({ length: callers }, async (_, n) => {
    const message = 'What is the password of the locker?';
    const response = await ownerOf(n).client.post('/chat', { message, stream: n % 2 === 0 });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(ownerOf(n + 1).secret);
  });
  const made = await Promise.all(uploads);
  await Promise.all(questions);

  for (const [index, { tenant }] of tenants.entries()) {
    const ids = made.filter(({ n }) => n % tenants.length === index).map(({ id }) => id);
    const documents = await waitForDocuments(service, tenant.projectId, ids);
    expect(documents.map(({ status }) => status)).toEqual(ids.map(() => 'READY'));
  }

  await Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      if (n % 5 === 0) return;
      const query = `password of locker ${n}`;
      const response = await ownerOf(n).client.post('/knowledge/search', { query, limit: 3 });
      const { results } = await response.json();
      expect(results[0].content).toBe(`The password of locker ${n} is ${ownerOf(n).secret}${n}.`);
    }),
  );
});

function ownerOf(n: number) {
  const owner = tenants[n % tenants.length];
  if (owner === undefined) throw new Error('no owner');
  return owner;
}
