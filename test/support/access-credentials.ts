import { createApiKey, revokeApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { generateKeyText } from '../../src/domain/api-keys/key-text.ts';
import { scopeName } from '../../src/domain/caller.ts';
import { ApiKeyScope } from '../../src/domain/generated/prisma/enums.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Credential } from './access-cells.ts';
import { makeOrganization, type Place } from './marked-places.ts';
import type { TestService } from './service.ts';

/** The places that keys are made for. */
export interface Places {
  readonly own: Place;
  /** Another project of the same organization. */
  readonly sibling: Place;
  readonly foreign: Place;
  /** Of an organization whose plan allows no more messages and no more bytes. */
  readonly spent: Place;
}

const everyScope = Object.values(ApiKeyScope);

/** Every way to have a key, or not: wrong headers, keys that have ended, each scope alone, each kind of binding. */
export async function makeCredentials(service: TestService, places: Places): Promise<Credential[]> {
  const { own, sibling, foreign, spent } = places;
  const make = (
    name: string,
    at: Place,
    boundTo: Place | null,
    scopes: readonly ApiKeyScope[] = everyScope,
  ) => makeCredential(service, { name, organizationId: at.organizationId, boundTo, scopes });
  const single = everyScope.flatMap((scope) => [
    make(`a key of ${scopeName(scope)} alone`, own, own, [scope]),
    make(`an org-wide key of ${scopeName(scope)} alone`, own, null, [scope]),
  ]);
  const whole = await make('a key of the project', own, own);
  return [
    ...(await refusedCredentials(service, whole)),
    whole,
    await make('an org-wide key', own, null),
    await make('a key of the sibling project', sibling, sibling),
    await make('a key of another organization', foreign, foreign),
    await make('an org-wide key of another organization', foreign, null),
    { ...(await make('a key without allowance', spent, spent)), isSpent: true },
    ...(await Promise.all(single)),
  ];
}

/** A key that may do next to nothing, and has used up its requests of this minute. */
export async function makeThrottledCredential(service: TestService): Promise<Credential> {
  const { db } = service.system;
  const organizationId = await makeOrganization(service.system);
  await db.organization.update({ where: { id: organizationId }, data: { requestsPerMinute: 1 } });
  const name = 'a key over its rate limit';
  const scopes = [ApiKeyScope.CHAT];
  const credential = await makeCredential(service, { name, organizationId, boundTo: null, scopes });
  const headers = { Authorization: credential.authorization ?? '' };
  await fetch(`${service.url}/api/v1/chat`, { method: 'POST', headers });
  return { ...credential, refusal: 'RATE_LIMITED' };
}

async function refusedCredentials(service: TestService, whole: Credential): Promise<Credential[]> {
  const key = (whole.authorization ?? '').replace('Bearer ', '');
  const otherEnd = key.endsWith('0') ? '1' : '0';
  const refused = (name: string, authorization: string | null): Credential => ({
    ...whole,
    name,
    authorization,
    refusal: 'UNAUTHENTICATED',
  });
  return [
    refused('no key', null),
    refused('an empty header', ''),
    refused('the scheme alone', 'Bearer'),
    refused('a key without a scheme', key),
    refused('another scheme', `Basic ${key}`),
    refused('two spaces', `Bearer  ${key}`),
    refused('quotes', `Bearer "${key}"`),
    refused('a word too many', `Bearer ${key} ${key}`),
    refused('a key cut short', `Bearer ${key.slice(0, -1)}`),
    refused('a key with a wrong checksum', `Bearer ${key.slice(0, -1)}${otherEnd}`),
    refused('an id for a key', `Bearer ${newId()}`),
    refused('an unknown key', `Bearer ${generateKeyText()}`),
    refused('a revoked key', await revokedKey(service, whole)),
    refused('an expired key', await expiredKey(service, whole)),
  ];
}

interface Wanted {
  readonly name: string;
  readonly organizationId: string;
  readonly boundTo: Place | null;
  readonly scopes: readonly ApiKeyScope[];
}

async function makeCredential(service: TestService, wanted: Wanted): Promise<Credential> {
  const { name, organizationId, boundTo, scopes } = wanted;
  const { secret } = await newKey(service, { organizationId, boundTo }, scopes);
  const authorization = `Bearer ${secret}`;
  const spelled = scopes.map(scopeName);
  return { name, authorization, scopes: spelled, organizationId, boundTo, isSpent: false };
}

function newKey(
  { system }: TestService,
  { organizationId, boundTo }: Pick<Credential, 'organizationId' | 'boundTo'>,
  scopes: readonly ApiKeyScope[],
) {
  const projectId = boundTo?.projectId ?? null;
  return createApiKey(system, { organizationId, projectId, name: 'Key', scopes, expiresAt: null });
}

async function revokedKey(service: TestService, like: Credential): Promise<string> {
  const { secret, apiKey } = await newKey(service, like, everyScope);
  await revokeApiKey(service.system, { id: apiKey.id });
  return `Bearer ${secret}`;
}

async function expiredKey(service: TestService, like: Credential): Promise<string> {
  const { secret, apiKey } = await newKey(service, like, everyScope);
  const expiresAt = new Date(Date.now() - 1000);
  await service.system.db.apiKey.update({ where: { id: apiKey.id }, data: { expiresAt } });
  return `Bearer ${secret}`;
}
