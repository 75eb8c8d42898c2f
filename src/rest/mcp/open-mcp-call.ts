import type { Request, Response } from 'express';
import type { ApiKeyCaller, Caller } from '../../domain/caller.ts';
import { roleHasPermission, scopeName } from '../../domain/permissions.ts';
import type { ResponseLocals } from '../../http/exchange.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { GraphqlCall, KeyApiDependencies } from '../request/rest-call.ts';
import { openCall, requestScope } from '../request/serve-operation.ts';

/** An authenticated MCP request, with its project and the scopes that select its tools. */
export interface McpCall extends GraphqlCall {
  readonly projectId: string;
  readonly scopes: readonly ToolScope[];
  /** Id of the key or of the operator. */
  readonly clientId: string;
  readonly response: Response;
  readonly stallTimeoutMs: number;
}

/** API key scopes for which the MCP server has tools. */
export type ToolScope = (typeof toolScopes)[number];
const toolScopes = ['CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE'] as const;

/** Dependencies of the MCP server. */
export interface McpDependencies extends KeyApiDependencies {
  /** Returns the caller of an operator's access token. Null if operators cannot sign in by OAuth. */
  readonly authenticateOperator: ((authorization: string) => Promise<Caller>) | null;
}

/**
 * Authenticates a request by an API key, or by an operator's access token.
 * @throws DomainError UNAUTHENTICATED, RATE_LIMITED, SCOPE_MISSING, PROJECT_REQUIRED, PROJECT_FORBIDDEN or NOT_FOUND
 */
export async function openMcpCall(
  service: McpDependencies,
  request: Request,
  response: Response<unknown, ResponseLocals>,
): Promise<McpCall> {
  const authorization = request.get('Authorization');
  const { authenticateOperator } = service;
  if (authenticateOperator === null || !isAccessToken(authorization)) {
    return openKeyCall(service, request, response);
  }
  const receivedAt = performance.now();
  const caller = await authenticateOperator(authorization);
  if (caller.type !== 'operator') {
    throw new DomainError('UNAUTHENTICATED', 'The token does not belong to an operator');
  }
  response.locals.caller = caller;
  const projectId = resolveProject(request, null, 'an operator may use several');
  response.locals.projectId = projectId;
  const { schema, stallTimeoutMs } = service;
  const scope = requestScope(request, response, { ...service, receivedAt });
  const call = { schema, context: service.contextFor(caller, scope) };
  const scopes = scopesOf(await loadRole(call, projectId));
  return { ...call, projectId, scopes, clientId: caller.userId, response, stallTimeoutMs };
}

/** Whether the header contains a bearer token that is not an API key. */
function isAccessToken(authorization: string | undefined): authorization is string {
  return /^Bearer (?!sk_)\S/i.test(authorization ?? '');
}

async function openKeyCall(
  service: McpDependencies,
  request: Request,
  response: Response,
): Promise<McpCall> {
  const { caller, ...call } = await openCall(service, request, response, requireTools);
  const projectId = resolveProject(request, caller.projectId, 'the API key is org-wide');
  response.locals.projectId = projectId;
  const scopes = toolScopes.filter((scope) => caller.scopes.includes(scope));
  return { ...call, projectId, scopes, clientId: caller.keyId };
}

/**
 * Checks that the key may use at least one tool.
 * @throws DomainError SCOPE_MISSING when the key has no scope of a tool
 */
function requireTools({ scopes }: ApiKeyCaller): void {
  if (toolScopes.some((scope) => scopes.includes(scope))) return;
  const names = toolScopes.map(scopeName).join(', ');
  throw new DomainError('SCOPE_MISSING', `The API key needs one of the scopes ${names}`);
}

/**
 * Returns the project of the key. An org-wide key or an operator must name the project in the header `X-Project-Id` or
 * in the query parameter `projectId`. The parameter exists because users of many clients can only set an address.
 * @throws DomainError PROJECT_REQUIRED, PROJECT_FORBIDDEN or NOT_FOUND
 */
function resolveProject(request: Request, projectId: string | null, reason: string): string {
  const id = request.get('X-Project-Id') ?? request.query.projectId ?? projectId;
  if (id === null) {
    const message = `The header X-Project-Id or the parameter projectId is required: ${reason}`;
    throw new DomainError('PROJECT_REQUIRED', message);
  }
  if (projectId !== null && id !== projectId) {
    throw new DomainError('PROJECT_FORBIDDEN', 'The API key is restricted to a different project');
  }
  if (typeof id !== 'string' || !isId(id)) throw new DomainError('NOT_FOUND', 'Project not found');
  return id;
}

/**
 * Returns the role of the operator.
 * @throws DomainError NOT_FOUND when the operator is not a member of the project's organization
 */
async function loadRole(call: GraphqlCall, projectId: string): Promise<Role> {
  const { project, me } = await executeGraphql(call, roleQuery, { projectId });
  const membership = me.memberships.find(
    ({ organization }) => organization.id === project?.organizationId,
  );
  if (membership === undefined) throw new DomainError('NOT_FOUND', 'Project not found');
  return membership.role;
}

const roleQuery = graphql(`
  query mcpRole($projectId: ID!) {
    project(id: $projectId) { organizationId }
    me { memberships { role organization { id } } }
  }
`);

/**
 * Returns the scopes of the tools that a role may use. A scope has the same spelling as the permission that it grants.
 */
function scopesOf(role: Role): ToolScope[] {
  return toolScopes.filter((scope) => roleHasPermission(role, scopeName(scope)));
}
