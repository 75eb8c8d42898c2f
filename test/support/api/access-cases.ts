import type { CanaryProject } from '../canary-project.ts';
import type { ApiOperation } from './openapi-document.ts';
import {
  type ApiRequest,
  projectIdLocation,
  type ResourceIdField,
  resourceFields,
  sampleRequest,
  withField,
} from './openapi-request.ts';

/** API key of a request, with the properties on which the response depends. */
export interface Credential {
  readonly name: string;
  readonly authorization: string | null;
  /** Error of this key that the service reports before all other checks. */
  readonly refusal?: 'UNAUTHENTICATED' | 'RATE_LIMITED';
  /** Scope names as the API uses them, such as `knowledge:read`. */
  readonly scopes: readonly string[];
  readonly organizationId: string;
  /** Project of the key. Null for an org-wide key. */
  readonly boundProject: CanaryProject | null;
  /** Whether the organization has used up the quota of its plan. */
  readonly isQuotaExceeded: boolean;
}

/** Value of a field that contains the id of a project or a resource. */
export interface FieldValue {
  readonly name: string;
  /** The id, or undefined if the request omits the field. */
  readonly value: string | undefined;
  /** Project to which the named resource belongs, or null if the resource does not exist. */
  readonly owner: CanaryProject | null;
}

/** One request of the access matrix. */
export interface AccessCase {
  readonly operation: ApiOperation;
  readonly credential: Credential;
  readonly project: FieldValue;
  readonly resource: { readonly field: ResourceIdField; readonly choice: FieldValue } | null;
  /** Whether another field of the request is invalid. */
  readonly isBroken: boolean;
}

export type ExpectedOutcome =
  | { readonly type: 'granted'; readonly project: CanaryProject }
  | {
      readonly type: 'refused';
      readonly status: number;
      /** Error codes that the response may have. */
      readonly codes: readonly string[];
      /** The error message must contain this text. */
      readonly messagePart: string;
    };

/**
 * Returns the outcome that the contract requires. The checks have this order: key 401, rate limit 429, scope 403,
 * validation 400, project 403 and 404, resource 404, quota 402.
 */
export function expectedOutcome({
  operation,
  credential,
  project,
  resource,
  isBroken,
}: AccessCase): ExpectedOutcome {
  if (credential.refusal === 'UNAUTHENTICATED') return refused(401, ['UNAUTHENTICATED']);
  if (credential.refusal === 'RATE_LIMITED') return refused(429, ['RATE_LIMITED']);

  const missing = operation.scopes.find((scope) => !credential.scopes.includes(scope));
  if (missing !== undefined) return refused(403, ['SCOPE_MISSING'], missing);

  const { boundProject } = credential;
  const isMissing = boundProject === null && project.value === undefined;
  const isNotAllowed = boundProject !== null && project.owner === boundProject;
  const fault = isMissing ? 'PROJECT_REQUIRED' : isNotAllowed ? 'PROJECT_NOT_ALLOWED' : null;
  // If a request has two validation errors, the API may report either.
  if (isBroken) return refused(400, ['VALIDATION_FAILED', ...(fault === null ? [] : [fault])]);
  if (fault !== null) return refused(400, [fault], isMissing ? 'org-wide' : 'projectId');

  if (boundProject !== null && project.value !== undefined) {
    return refused(403, ['PROJECT_FORBIDDEN']);
  }
  const granted = boundProject ?? project.owner;
  if (granted === null || granted.organizationId !== credential.organizationId) {
    return refused(404, ['NOT_FOUND']);
  }
  const named = resource?.choice;
  if (named?.value !== undefined && named.owner !== granted) return refused(404, ['NOT_FOUND']);

  // None of these keys has requested the answers of the matrix.
  const isOfOthers = ownAnswerOperations.has(operation.id);
  if (isOfOthers && !credential.scopes.includes('conversations:read')) {
    return refused(404, ['NOT_FOUND']);
  }

  // A caller cannot give a new key a scope that the caller's own key lacks.
  const given = sampleRequest(operation).body?.scopes;
  const lacking = Array.isArray(given)
    ? given.find((scope) => !credential.scopes.includes(scope))
    : undefined;
  if (lacking !== undefined) return refused(403, ['SCOPE_MISSING'], lacking);

  const hasQuota = operation.responses['402'] !== undefined;
  if (credential.isQuotaExceeded && hasQuota) return refused(402, ['QUOTA_EXCEEDED']);
  return { type: 'granted', project: granted };
}

/** Operations on answers. A key may use them only on answers that it has requested or may read. */
const ownAnswerOperations: ReadonlySet<string> = new Set(['resumeAnswer', 'stopAnswer']);

function refused(status: number, codes: readonly string[], messagePart = ''): ExpectedOutcome {
  return { type: 'refused', status, codes, messagePart };
}

/** Returns all cases of an operation. `resources` returns the values that a resource field should have in turn. */
export function listAccessCases(
  operation: ApiOperation,
  credentials: readonly Credential[],
  projects: readonly FieldValue[],
  resources: (field: ResourceIdField) => readonly FieldValue[],
): AccessCase[] {
  const named = resourceFields(operation).flatMap((field) => {
    const absent = { name: 'left out', value: undefined, owner: null };
    const choices = [...resources(field), ...(field.isRequired ? [] : [absent])];
    return choices.map((choice) => ({ field, choice }));
  });
  const shapes = invalidRequest(sampleRequest(operation)) === null ? [false] : [false, true];
  return credentials.flatMap((credential) =>
    projects.flatMap((project) =>
      (named.length === 0 ? [null] : named).flatMap((resource) =>
        shapes.map((isBroken) => ({ operation, credential, project, resource, isBroken })),
      ),
    ),
  );
}

/**
 * Returns the request of a case. Resource fields get the ids in `resourceIds`, except the field that the case varies.
 */
export function buildRequest(
  { operation, project, resource, isBroken }: AccessCase,
  resourceIds: CanaryProject['resourceIds'],
): ApiRequest {
  const required = resourceFields(operation).filter((field) => field.isRequired);
  const sample = required.reduce(
    (request, field) => withField(request, field, resourceIds[field.kind]),
    sampleRequest(operation),
  );
  const named =
    resource === null ? sample : withField(sample, resource.field, resource.choice.value);
  const projectField = { name: 'projectId', in: projectIdLocation(operation) };
  const request = withField(named, projectField, project.value);
  return isBroken ? (invalidRequest(request) ?? request) : request;
}

export function titleOf({
  operation,
  credential,
  project,
  resource,
  isBroken,
}: AccessCase): string {
  const fields = [
    `projectId ${project.name}`,
    ...(resource === null ? [] : [`${resource.field.name} ${resource.choice.name}`]),
    ...(isBroken ? ['out of shape'] : []),
  ];
  return `${operation.method} ${operation.path} with ${credential.name}: ${fields.join(', ')}`;
}

/** Returns an invalid version of the request. Returns null if no input of the operation can be invalid. */
function invalidRequest(request: ApiRequest): ApiRequest | null {
  const { operation, body } = request;
  if (operation.body?.mediaType === 'application/json') {
    return { ...request, body: { ...body, notAField: true } };
  }
  if (operation.body !== null) return { ...request, body: { notAFile: 'x' } };
  const bounded = operation.parameters.find(
    ({ in: place, schema }) => place === 'query' && schema.minimum !== undefined,
  );
  if (bounded === undefined) return null;
  const tooSmall = String((bounded.schema.minimum ?? 0) - 1);
  return withField(request, { name: bounded.name, in: 'query' }, tooSmall);
}
