import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Role } from '../../src/platform/postgres/generated/prisma/enums.ts';
import { expectErrorBody } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import { type OAuthServer, startOAuthServer } from '../support/servers/oauth-server.ts';
import { type SupabaseAuth, startSupabaseAuth } from '../support/servers/supabase-auth.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

// Operators sign in to the MCP server with OAuth, in the way that the client of the official SDK does it.

/** The public address. In production, a proxy forwards requests from it to the service. */
const origin = 'https://chat.example.com';
const resource = `${origin}/mcp`;
const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;

let service: TestService;
let auth: SupabaseAuth;
let consent: OAuthServer['consent'];
let tenant: Tenant;

beforeAll(async () => {
  ({ auth, consent } = await startOAuthServer(resource));
  const { url, issuer } = auth;
  service = await startTestService({
    database: await sharedDatabase(),
    signIn: {
      tokenVerification: { type: 'supabase', url, users: { url, apiKey: 'sb_publishable_x' } },
      signIn: { type: 'none' },
    },
    mcpResource: { url: resource, authorizationServers: [issuer] },
    callerLimits: {
      operatorRequestsPerMinute: 20,
      serviceRequestsPerMinute: 0,
      subscriptionsPerCaller: 0,
    },
  });
  tenant = await service.createTenant();
  const content = 'The lighthouse can be visited from nine in the morning.';
  await addDocuments(service, tenant.projectId, { Visiting: content });
});
afterAll(async () => {
  await service?.stop();
  await auth?.close();
});

/** Sends requests for the public address to the service, as a proxy would. */
const throughProxy: typeof fetch = (input, init) =>
  fetch(String(input).replace(origin, service.url), init);

/**
 * Creates an operator with this role in the organization of the tenant. Returns the claims for the operator's tokens.
 */
async function operator(role: Role): Promise<JWTPayload> {
  const id = newId();
  const email = `${id}@example.com`;
  const { organizationId } = tenant;
  await service.system.db.member.create({
    data: { id: newId(), organizationId, userId: id, email, role },
  });
  return { sub: id, email };
}

const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const post = (token: string | null, query = `?projectId=${tenant.projectId}`) =>
  throughProxy(`${resource}${query}`, {
    method: 'POST',
    headers: { ...headers, ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: list,
  });

test('the metadata of the resource names the authorization server', async () => {
  for (const path of ['', '/mcp']) {
    const response = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [auth.issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'grounded-chat',
    });
  }
});

/** Returns a store for the values that a client keeps between the steps of the sign-in. */
function clientStore() {
  const stored: Record<string, unknown> = {};
  let authorizationUrl: URL | undefined;
  const read = <T>(name: string) => stored[name] as T;
  const write = (name: string) => (value: unknown) => void Object.assign(stored, { [name]: value });
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:8976/callback',
    clientMetadata: { client_name: 'Editor', redirect_uris: ['http://127.0.0.1:8976/callback'] },
    clientInformation: () => read('client'),
    saveClientInformation: write('client'),
    tokens: () => read('tokens'),
    saveTokens: write('tokens'),
    codeVerifier: () => read('verifier'),
    saveCodeVerifier: write('verifier'),
    saveDiscoveryState: write('discovery'),
    discoveryState: () => read('discovery'),
    redirectToAuthorization: (url) => {
      authorizationUrl = url;
    },
  };
  return { provider, authorizationUrl: () => authorizationUrl };
}

test('a client finds the authorization server, gets a token and uses the tools of the role', async () => {
  const { provider, authorizationUrl } = clientStore();
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${resource}?projectId=${tenant.projectId}`), {
      authProvider: provider,
      fetch: throughProxy,
    });
  const unauthorized = transport();
  const connecting = new Client({ name: 'test', version: '1.0.0' }).connect(unauthorized);
  await expect(connecting).rejects.toThrow(UnauthorizedError);
  const address = authorizationUrl();
  expect(address?.href).toContain(`${auth.issuer}/oauth/authorize`);
  expect(address?.searchParams.get('resource')).toBe(resource);

  await unauthorized.finishAuth(consent(address ?? new URL(resource), await operator('AGENT')));
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...['ask', 'list_documents', 'read_document', 'request_human', 'search'],
  ]);
  const message = 'When can the lighthouse be visited?';
  const answer = await client.callTool({ name: 'ask', arguments: { message } });
  expect(answer.structuredContent).toMatchObject({
    content: expect.stringContaining('nine'),
    citations: [{ documentName: 'Visiting' }],
  });
  await client.close();
});

describe('an access token', () => {
  const toolsOf = async (role: Role) => {
    const response = await post(await auth.token({ ...(await operator(role)), aud: resource }));
    return (await response.text()).match(/"name":"\w+"/g)?.length;
  };

  test('has the tools of the role', async () => {
    expect(await toolsOf('OWNER')).toBe(6);
    expect(await toolsOf('AGENT')).toBe(5);
    expect(await toolsOf('VIEWER')).toBe(3);
  });

  test('is refused unless its audience is the MCP server', async () => {
    const claims = await operator('OWNER');
    const others = [`${origin}/`, 'https://other.example.com/mcp', undefined];
    for (const aud of ['authenticated', [resource, 'authenticated'], ...others]) {
      const response = await post(await auth.token({ ...claims, aud }));
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadataUrl}"`,
      );
    }
  });

  const askGraphql = async (claims: JWTPayload) => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await auth.token(claims)}`,
      },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });
    return response.text();
  };

  test('for the MCP server is refused by GraphQL', async () => {
    const owner = { ...(await operator('OWNER')), aud: resource };
    expect(await askGraphql(owner)).toContain('UNAUTHENTICATED');
  });

  test('of a client is refused by GraphQL, also while no hook sets its audience', async () => {
    const owner = await operator('OWNER');
    expect(await askGraphql({ ...owner, client_id: newId() })).toContain('UNAUTHENTICATED');
    expect(await askGraphql(owner)).toContain(`"id":"${owner.sub}"`);
  });

  test('of another issuer, expired or of the service role is refused', async () => {
    const claims = { ...(await operator('OWNER')), aud: resource };
    const other = await startSupabaseAuth();
    const tokens = [
      await other.token(claims),
      await auth.token({ ...claims, exp: 1 }),
      await auth.token({ ...claims, role: 'service_role' }),
      'no-token',
    ];
    await other.close();
    for (const token of tokens) {
      expect((await expectErrorBody(post(token))).code).toBe('UNAUTHENTICATED');
    }
  });

  test('needs a project of the operator', async () => {
    const token = await auth.token({ ...(await operator('OWNER')), aud: resource });
    expect((await expectErrorBody(post(token, ''))).code).toBe('PROJECT_REQUIRED');
    const other = await service.createTenant();
    for (const id of [other.projectId, newId(), 'x', 'x&projectId=y']) {
      expect((await expectErrorBody(post(token, `?projectId=${id}`))).code).toBe('NOT_FOUND');
    }
  });

  test('counts in the rate limit of the operator', async () => {
    const token = await auth.token({ ...(await operator('VIEWER')), aud: resource });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) statuses.push((await post(token)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('an API key', () => {
  test('still works, and an org-wide one with the project in the address', async () => {
    expect((await post(await tenant.key(), '')).status).toBe(200);
    expect((await post(await tenant.key({ isOrgWide: true }))).status).toBe(200);
  });

  test('that is missing or invalid is answered with the metadata', async () => {
    const missing = await post(null);
    expect(missing.status).toBe(401);
    expect(missing.headers.get('WWW-Authenticate')).toBe(
      `Bearer resource_metadata="${metadataUrl}"`,
    );
    const invalid = await post('sk_invalid');
    expect(invalid.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
  });
});
