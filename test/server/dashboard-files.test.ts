import { beforeAll, describe, expect, test } from 'vitest';
import { inviteMember } from '../../src/domain/organizations/manage-members.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { operatorClaims } from '../../src/server/token.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let documentId: string;
const text = '# Sauna\n\nThe sauna opens at seven.';

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, { 'Sauna.md': text });
  const { projectId } = tenant;
  ({ id: documentId } = await service.system.db.document.findFirstOrThrow({
    where: { projectId },
  }));
});

async function tokenOf(role: Role, { organizationId }: Tenant = tenant): Promise<string> {
  const email = `${crypto.randomUUID()}@hotel.example`;
  await inviteMember(service.system, { organizationId, email, role });
  return service.token(operatorClaims(email));
}

interface Address {
  readonly projectId?: string;
  readonly documentId?: string;
}

function send(path: string, address: Address, token: string | null, body?: FormData) {
  const query = new URLSearchParams({ projectId: tenant.projectId, documentId, ...address });
  return fetch(`${service.url}/dashboard/${path}?${query}`, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: token === null ? {} : { Authorization: `Bearer ${token}` },
  });
}

function formWith(content: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), 'Sauna.md');
  return form;
}

describe('the original of a document', () => {
  test('is sent to a member', async () => {
    const response = await send('original', {}, await tokenOf('VIEWER'));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment; .*Sauna\.md/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await response.text()).toBe(text);
  });

  test('is not sent to others', async () => {
    const other = await service.createTenant();
    const stranger = await tokenOf('OWNER', other);
    expect((await send('original', {}, null)).status).toBe(401);
    expect((await send('original', {}, stranger)).status).toBe(404);
    const { projectId } = other;
    expect((await send('original', { projectId }, stranger)).status).toBe(404);
    expect((await send('original', { documentId: '%00' }, stranger)).status).toBe(404);
  });
});

describe('a file for a document', () => {
  test('replaces its content', async () => {
    const replaced = await send('upload', {}, await tokenOf('ADMIN'), formWith('Closed.'));
    expect(replaced.status).toBe(200);
    expect(await replaced.json()).toEqual({
      id: documentId,
      name: 'Sauna.md',
      status: 'PROCESSING',
    });
    const original = await send('original', {}, await tokenOf('AGENT'));
    expect(await original.text()).toBe('Closed.');
  });

  test('is refused from others', async () => {
    const other = await service.createTenant();
    const stranger = await tokenOf('OWNER', other);
    const { projectId } = other;
    expect((await send('upload', { projectId }, stranger, formWith('Mine.'))).status).toBe(404);
    expect((await send('upload', {}, await tokenOf('AGENT'), formWith('Mine.'))).status).toBe(403);
  });
});
