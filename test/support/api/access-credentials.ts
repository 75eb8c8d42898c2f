import { generateApiKey } from '../../../src/domain/api-keys/api-key-format.ts';
import { createApiKey, revokeApiKey } from '../../../src/domain/api-keys/api-keys.ts';
import { scopeName } from '../../../src/domain/permissions.ts';
import { newId } from '../../../src/platform/ids.ts';
import { ApiKeyScope } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { type CanaryProject, makeOrganization } from '../canary-project.ts';
import type { TestService } from '../service.ts';
import type { Credential } from './access-cases.ts';

/** Projects for which keys are created. */
export interface CanaryProjects {
  readonly own: CanaryProject;
  /** Another project of the same organization. */
  readonly sibling: CanaryProject;
  readonly foreign: CanaryProject;
  /** Project of an organization that has used up its message and storage quotas. */
  readonly quotaExceeded: CanaryProject;
}

const everyScope = Object.values(ApiKeyScope);

/**
 * Returns all kinds of credentials: invalid headers, revoked and expired keys, a key for each scope, and keys for each
 * project.
 */
export async function makeCredentials(
  service: TestService,
  projects: CanaryProjects,
): Promise<Credential[]> {
  const { own, sibling, foreign, quotaExceeded } = projects;
  const make = (
    name: string,
    { organizationId }: CanaryProject,
    boundProject: CanaryProject | null,
    scopes: readonly ApiKeyScope[] = everyScope,
  ) => makeCredential(service, { name, organizationId, boundProject, scopes });
  const single = everyScope.flatMap((scope) => [
    make(`a key of ${scopeName(scope)} alone`, own, own, [scope]),
    make(`an org-wide key of ${scopeName(scope)} alone`, own, null, [scope]),
  ]);
  const unrestricted = await make('a key of the project', own, own);
  return [
    ...(await refusedCredentials(service, unrestricted)),
    unrestricted,
    await make('an org-wide key', own, null),
    await make('a key of the sibling project', sibling, sibling),
    await make('a key of another organization', foreign, foreign),
    await make('an org-wide key of another organization', foreign, null),
    {
      ...(await make('a key without allowance', quotaExceeded, quotaExceeded)),
      isQuotaExceeded: true,
    },
    ...(await Promise.all(single)),
  ];
}

/** Returns a key that has reached its rate limit. Its organization allows one request per minute. */
export async function makeRateLimitedCredential(service: TestService): Promise<Credential> {
  const { db } = service.system;
  const organizationId = await makeOrganization(service.system);
  await db.organization.update({ where: { id: organizationId }, data: { requestsPerMinute: 1 } });
  const name = 'a key over its rate limit';
  const scopes = [ApiKeyScope.CHAT];
  const credential = await makeCredential(service, {
    name,
    organizationId,
    boundProject: null,
    scopes,
  });
  const headers = { Authorization: credential.authorization ?? '' };
  await fetch(`${service.url}/api/v1/chat`, { method: 'POST', headers });
  return { ...credential, refusal: 'RATE_LIMITED' };
}

async function refusedCredentials(service: TestService, valid: Credential): Promise<Credential[]> {
  const key = (valid.authorization ?? '').replace('Bearer ', '');
  const wrongLastCharacter = key.endsWith('0') ? '1' : '0';
  const refused = (name: string, authorization: string | null): Credential => ({
    ...valid,
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
    refused('a key with a wrong checksum', `Bearer ${key.slice(0, -1)}${wrongLastCharacter}`),
    refused('an id for a key', `Bearer ${newId()}`),
    refused('an unknown key', `Bearer ${generateApiKey()}`),
    refused('a revoked key', await revokedKey(service, valid)),
    refused('an expired key', await expiredKey(service, valid)),
  ];
}

interface CredentialInput {
  readonly name: string;
  readonly organizationId: string;
  readonly boundProject: CanaryProject | null;
  readonly scopes: readonly ApiKeyScope[];
}

async function makeCredential(
  service: TestService,
  { name, organizationId, boundProject, scopes }: CredentialInput,
): Promise<Credential> {
  const { secret } = await newKey(service, { organizationId, boundProject }, scopes);
  return {
    name,
    authorization: `Bearer ${secret}`,
    scopes: scopes.map(scopeName),
    organizationId,
    boundProject,
    isQuotaExceeded: false,
  };
}

function newKey(
  { system }: TestService,
  { organizationId, boundProject }: Pick<Credential, 'organizationId' | 'boundProject'>,
  scopes: readonly ApiKeyScope[],
) {
  const projectId = boundProject?.projectId ?? null;
  return createApiKey(system, { organizationId, projectId, name: 'Key', scopes, expiresAt: null });
}

async function revokedKey(service: TestService, owner: Credential): Promise<string> {
  const { secret, apiKey } = await newKey(service, owner, everyScope);
  await revokeApiKey(service.system, { id: apiKey.id });
  return `Bearer ${secret}`;
}

async function expiredKey(service: TestService, owner: Credential): Promise<string> {
  const { secret, apiKey } = await newKey(service, owner, everyScope);
  const expiresAt = new Date(Date.now() - 1000);
  await service.system.db.apiKey.update({ where: { id: apiKey.id }, data: { expiresAt } });
  return `Bearer ${secret}`;
}
