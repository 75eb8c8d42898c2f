import { createHmac, randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseEndUser } from '../../src/domain/end-users/erase-end-user.ts';
import { exportEndUser } from '../../src/domain/end-users/export-end-user.ts';
import { listMissingSecretKeys } from '../../src/domain/webhooks/encrypt-webhook-secrets.ts';
import { encryptIdentitySecrets } from '../../src/domain/widget/encrypt-identity-secrets.ts';
import { rotateIdentitySecret } from '../../src/domain/widget/rotate-identity-secret.ts';
import { updateWidget } from '../../src/domain/widget/widgets.ts';
import { newId } from '../../src/platform/ids.ts';
import { createSecretBox, encryptedPrefix } from '../../src/platform/secrets/secret-box.ts';
import { graphqlClient } from '../support/api/graphql-client.ts';
import {
  eventReader,
  makeWidget,
  type VisitorClient,
  visitorClient,
} from '../support/api/visitor-client.ts';
import { addConversation } from '../support/conversations.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

let service: TestService;
const question = 'When is breakfast served?';

beforeAll(async () => {
  service = await sharedService();
});
// All requests come from the same IP address and share its rate limit, so each test resets the limit.
beforeEach(async () => {
  await service.system.pool.query('delete from grounded.request_windows');
});

interface Site {
  readonly projectId: string;
  readonly key: string;
  secret: string;
  /**
   * Starts a visit, on a new device unless `page` is given. Returns the status. `page` has a token if the service
   * accepted the visit.
   */
  visit(body: object, page?: VisitorClient): Promise<{ status: number; page: VisitorClient }>;
  /** Returns the client of a new device of a verified user. */
  user(userId: string): Promise<VisitorClient>;
}

async function createSite(): Promise<Site> {
  const { projectId } = await service.createTenant();
  const key = await makeWidget(service, projectId);
  await addDocuments(service, projectId, {
    'Guest guide': 'Breakfast is served from seven to ten in the winter garden.',
  });
  const { secret } = await rotateIdentitySecret(service.system, { projectId });
  const site: Site = {
    projectId,
    key,
    secret,
    async visit(body, page = visitorClient(service, key)) {
      const response = await page.post('visit', body);
      if (response.status === 200) page.token = (await response.json()).token;
      return { status: response.status, page };
    },
    async user(userId) {
      const { status, page } = await site.visit({ userId, userHash: sign(site.secret, userId) });
      expect(status).toBe(200);
      return page;
    },
  };
  return site;
}

function sign(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex');
}

async function asked(page: VisitorClient, more: object = {}): Promise<string> {
  const response = await page.post('messages', { message: question, ...more });
  expect(response.status).toBe(200);
  return /"conversationId":"([^"]+)"/.exec(await response.text())?.[1] ?? '';
}

async function listed(page: VisitorClient): Promise<string[]> {
  const { conversations } = await (await page.post('conversations')).json();
  return conversations.map(({ id }: { id: string }) => id);
}

async function readStatus(page: VisitorClient, conversationId: string): Promise<number> {
  return (await page.post('conversation', { conversationId })).status;
}

describe('a verified user', { timeout: 120_000 }, () => {
  test('finds all own conversations on another device, latest first', async () => {
    const site = await createSite();
    const phone = await site.user('customer-7');
    const [first, second] = [await asked(phone), await asked(phone)];
    const laptop = await site.user('customer-7');
    expect(await listed(laptop)).toEqual([second, first]);
    expect(await readStatus(laptop, first)).toBe(200);
    expect(await asked(laptop, { conversationId: first })).toBe(first);
    expect(await listed(phone)).toEqual([first, second]);
  });

  test('never sees conversations of another user, an anonymous visitor or an API key', async () => {
    const site = await createSite();
    const { page: anonymous } = await site.visit({});
    const anonymousId = (
      await service.system.db.conversation.findUniqueOrThrow({
        where: { id: await asked(anonymous) },
      })
    ).endUserId as string;
    const ofKey = await addConversation(service, site.projectId, {
      messages: ['Secret', 'words'],
      endUserId: 'customer-7',
    });
    const other = await site.user('customer-8');
    const others = await asked(other);
    for (const page of [await site.user('customer-7'), await site.user(anonymousId)]) {
      expect(await listed(page)).toEqual([]);
      for (const id of [ofKey, others, ...(await listed(anonymous))]) {
        expect(await readStatus(page, id)).toBe(404);
        expect((await page.post('updates', { conversationId: id })).status).toBe(404);
        expect((await page.post('handoff', { conversationId: id })).status).toBe(404);
        expect((await page.post('messages', { message: 'Hi', conversationId: id })).status).toBe(
          404,
        );
      }
    }
    expect(await readStatus(anonymous, others)).toBe(404);
  });

  test('rates no handoff of an anonymous visitor or an API key with the same id', async () => {
    const site = await createSite();
    const { projectId } = site;
    const { db } = service.system;
    await db.project.update({ where: { id: projectId }, data: { asksForSatisfaction: true } });
    const resolvedHandoff = async (isEndUserVerified: boolean) => {
      const endUserId = 'customer-7';
      const id = await addConversation(service, projectId, { messages: ['A person'], endUserId });
      await db.conversation.update({ where: { id }, data: { isEndUserVerified } });
      const handoff = { id: newId(), projectId, conversationId: id, resolvedAt: new Date() };
      await db.handoff.create({ data: { ...handoff, status: 'RESOLVED' } });
      const asked = { handoffId: handoff.id, projectId, agent: 'agent@example.com' };
      await db.handoffSatisfaction.create({ data: asked });
      return handoff.id;
    };
    const page = await site.user('customer-7');
    const rate = async (handoffId: string) =>
      (await page.post('satisfaction', { handoffId, rating: 1 })).status;
    expect(await rate(await resolvedHandoff(false))).toBe(404);
    expect(await rate(await resolvedHandoff(true))).toBe(200);
  });

  test('of another project with the same id is somebody else', async () => {
    const [site, elsewhere] = [await createSite(), await createSite()];
    const page = await site.user('customer-7');
    const id = await asked(page);
    const there = await elsewhere.user('customer-7');
    expect(await listed(there)).toEqual([]);
    expect(await readStatus(there, id)).toBe(404);
    const foreignHash = sign(site.secret, 'customer-7');
    expect((await elsewhere.visit({ userId: 'customer-7', userHash: foreignHash })).status).toBe(
      401,
    );
    page.token = there.token;
    expect(await readStatus(page, id)).toBe(401);
  });

  test('who follows another on the same device starts anew', async () => {
    const site = await createSite();
    const page = await site.user('customer-7');
    const id = await asked(page);
    const again = { userId: 'customer-7', userHash: sign(site.secret, 'customer-7') };
    expect(await (await page.post('visit', again)).json()).toMatchObject({ isKnown: true });
    for (const next of [{}, { userId: 'b', userHash: sign(site.secret, 'b') }]) {
      const response = await page.post('visit', next);
      const { token, isKnown } = await response.json();
      expect(isKnown).toBe(false);
      const follower = visitorClient(service, site.key);
      follower.token = token;
      expect(await readStatus(follower, id)).toBe(404);
    }
  });

  test('is shown to agents with name and e-mail, which change with the next message', async () => {
    const site = await createSite();
    const page = await site.user('customer-7');
    const id = await asked(page, { name: 'Mira', email: 'mira@example.com' });
    const agent = graphqlClient(service.url, await service.token({ role: 'service_role' }));
    const read = async () => {
      const fields = 'endUserId isEndUserVerified endUserName endUserEmail';
      const query = `query ($id: ID!) { conversation(id: $id) { ${fields} } }`;
      return (await agent.send(query, { id })).data?.conversation;
    };
    const user = { endUserId: 'customer-7', isEndUserVerified: true };
    expect(await read()).toEqual({
      ...user,
      endUserName: 'Mira',
      endUserEmail: 'mira@example.com',
    });
    await asked(page, { conversationId: id, name: 'Mira B.' });
    expect(await read()).toEqual({ ...user, endUserName: 'Mira B.', endUserEmail: null });
    const exported = await exportEndUser(service.system, {
      projectId: site.projectId,
      endUserId: 'customer-7',
    });
    expect(exported.conversations).toMatchObject([{ id, isVerified: true, name: 'Mira B.' }]);
    await eraseEndUser(service.system, { projectId: site.projectId, endUserId: 'customer-7' });
    expect(await listed(page)).toEqual([]);
  });

  test('has name and e-mail only as a verified user', async () => {
    const site = await createSite();
    const { page } = await site.visit({});
    const id = await asked(page, { name: 'Mira', email: 'mira@example.com' });
    expect(await service.system.db.conversation.findUniqueOrThrow({ where: { id } })).toMatchObject(
      {
        isEndUserVerified: false,
        endUserName: null,
        endUserEmail: null,
      },
    );
  });
});

describe('an id', () => {
  test.each<[string, (secret: string) => object]>([
    ['without a hash', () => ({})],
    ['with an empty hash', () => ({ userHash: '' })],
    ['with the hash of another id', (secret) => ({ userHash: sign(secret, 'customer-8') })],
    ['with the hash of another secret', () => ({ userHash: sign('idsec_x', 'customer-7') })],
    ['with half of the hash', (secret) => ({ userHash: sign(secret, 'customer-7').slice(0, 32) })],
    ['with a longer hash', (secret) => ({ userHash: `${sign(secret, 'customer-7')}00` })],
    ['with a hash that is no hexadecimal', () => ({ userHash: 'z'.repeat(64) })],
  ])('%s is refused with 401, and no visit starts', async (_, hash) => {
    const site = await createSite();
    const response = await visitorClient(service, site.key).post('visit', {
      userId: 'customer-7',
      ...hash(site.secret),
    });
    expect(response.status).toBe(401);
    expect(await response.json()).not.toHaveProperty('token');
  });

  test('is refused while the widget has no secret', async () => {
    const { projectId } = await service.createTenant();
    const page = visitorClient(service, await makeWidget(service, projectId));
    const userId = 'customer-7';
    for (const secret of ['', 'null', 'undefined']) {
      const userHash = createHmac('sha256', secret).update(userId).digest('hex');
      expect((await page.post('visit', { userId, userHash })).status).toBe(401);
    }
  });

  test.each([
    ['empty', ''],
    ['longer than 128 characters', 'x'.repeat(129)],
    ['with a line break', 'a\nb'],
    ['with an invisible character', 'a\u200bb'],
    ['with NUL', 'a\0b'],
    ['of another type', 7],
  ])('%s is refused with 400', async (_, userId) => {
    const site = await createSite();
    const userHash = sign(site.secret, String(userId));
    expect((await site.visit({ userId, userHash })).status).toBe(400);
  });

  test('of 128 characters of any script works', async () => {
    const site = await createSite();
    const page = await site.user('字😀'.repeat(64));
    expect(await listed(page)).toEqual([]);
    expect(await readStatus(page, await asked(page))).toBe(200);
  });
});

describe('a widget that requires verified users', () => {
  test('refuses anonymous visitors, also those with a token, and ends their streams', async () => {
    const site = await createSite();
    const { page: before } = await site.visit({});
    const conversationId = await asked(before);
    const stream = eventReader(await before.post('updates', { conversationId }));
    await stream.readUntil('conversation');
    await updateWidget(service.system, { projectId: site.projectId, isIdentityRequired: true });
    expect((await stream.readUntil('error')).at(-1)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await site.visit({})).status).toBe(401);
    expect(await readStatus(before, conversationId)).toBe(401);
    expect((await before.post('messages', { message: question })).status).toBe(401);
    expect(await asked(await site.user('customer-7'))).not.toBe('');
  });

  test('needs a secret first', async () => {
    const { projectId } = await service.createTenant();
    await makeWidget(service, projectId);
    await expect(
      updateWidget(service.system, { projectId, isIdentityRequired: true }),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a rotated secret', () => {
  test('verifies next to the old one during the overlap, and visits continue', async () => {
    const site = await createSite();
    const old = site.secret;
    const page = await site.user('customer-7');
    const id = await asked(page);
    const { projectId } = site;
    const { secret } = await rotateIdentitySecret(service.system, { projectId });
    expect(await readStatus(page, id)).toBe(200);
    for (const each of [old, secret]) {
      const visit = { userId: 'customer-7', userHash: sign(each, 'customer-7') };
      const { page: device } = await site.visit(visit);
      expect(await listed(device)).toEqual([id]);
    }
    await service.system.pool.query(
      'update grounded.widgets set previous_identity_secret_expires_at = now() where project_id = $1',
      [projectId],
    );
    expect(await readStatus(page, id)).toBe(401);
    const visit = { userId: 'customer-7', userHash: sign(old, 'customer-7') };
    expect((await site.visit(visit)).status).toBe(401);
    site.secret = secret;
    expect(await listed(await site.user('customer-7'))).toEqual([id]);
  });

  test('without an overlap ends visits and streams at once', async () => {
    const site = await createSite();
    const page = await site.user('customer-7');
    const conversationId = await asked(page);
    const stream = eventReader(await page.post('updates', { conversationId }));
    await stream.readUntil('conversation');
    const { projectId } = site;
    await rotateIdentitySecret(service.system, { projectId, overlapSeconds: 0 });
    expect((await stream.readUntil('error')).at(-1)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await readStatus(page, conversationId)).toBe(401);
    const visit = { userId: 'customer-7', userHash: sign(site.secret, 'customer-7') };
    expect((await site.visit(visit)).status).toBe(401);
  });

  test('two at once: one succeeds, the other conflicts', async () => {
    const { projectId } = await createSite();
    const rotations = await Promise.allSettled(
      [1, 2].map(() => rotateIdentitySecret(service.system, { projectId })),
    );
    const failed = rotations.filter(({ status }) => status === 'rejected');
    expect(failed.length).toBeLessThanOrEqual(1);
    for (const { reason } of failed as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'CONFLICT' });
    }
    const { identityVersion } = await service.system.db.widget.findUniqueOrThrow({
      where: { projectId },
    });
    expect(identityVersion).toBe(1 + rotations.length - failed.length);
  });
});

describe('the stored secret', () => {
  test('is encrypted, and moves to a new key with the next rotation of keys', async () => {
    const { projectId } = await service.createTenant();
    await makeWidget(service, projectId);
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const withKeys = (...keys: [Buffer, ...Buffer[]]) => ({
      ...service.system,
      secretBox: createSecretBox(keys),
    });
    const { secret } = await rotateIdentitySecret(withKeys(oldKey), { projectId });
    const stored = async () =>
      (await service.system.db.widget.findUniqueOrThrow({ where: { projectId } })).identitySecret ??
      '';
    expect(await stored()).not.toContain(secret);
    expect((await stored()).startsWith(encryptedPrefix)).toBe(true);
    expect(await listMissingSecretKeys(withKeys(newKey))).toContain(
      withKeys(oldKey).secretBox.currentKeyId,
    );
    const shared = service.system.secretBox;
    // Other tests have stored secrets that are encrypted with the key of the service, so that key is also needed.
    const rotating = { ...withKeys(newKey, oldKey) };
    const box = rotating.secretBox;
    rotating.secretBox = {
      ...box,
      keyIds: [...box.keyIds, ...shared.keyIds],
      decrypt: (value, data) =>
        shared.keyIds.some((id) => value.includes(id))
          ? shared.decrypt(value, data)
          : box.decrypt(value, data),
    };
    await encryptIdentitySecrets(rotating);
    expect(createSecretBox([newKey]).decrypt(await stored(), projectId)).toBe(secret);
    await encryptIdentitySecrets({
      ...rotating,
      secretBox: {
        ...rotating.secretBox,
        currentKeyId: shared.currentKeyId,
        encrypt: shared.encrypt,
      },
    });
    expect(shared.decrypt(await stored(), projectId)).toBe(secret);
  });

  test('whose key is lost is replaced by an unknown one, and its visits end', async () => {
    const { projectId } = await service.createTenant();
    const key = await makeWidget(service, projectId);
    const lost = { ...service.system, secretBox: createSecretBox([randomBytes(32)]) };
    const { secret } = await rotateIdentitySecret(lost, { projectId });
    expect(await encryptIdentitySecrets(service.system, { replaceUnreadable: true })).toMatchObject(
      {
        replaced: 1,
      },
    );
    const page = visitorClient(service, key);
    const visit = { userId: 'a', userHash: sign(secret, 'a') };
    expect((await page.post('visit', visit)).status).toBe(401);
  });
});
