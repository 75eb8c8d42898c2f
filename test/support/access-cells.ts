import type { Place } from './marked-places.ts';
import type { ApiOperation } from './openapi-document.ts';
import {
  type ApiRequest,
  projectPlace,
  type ResourceField,
  resourceFields,
  sampleRequest,
  withField,
} from './openapi-request.ts';

/** Who sends a request. */
export interface Credential {
  readonly name: string;
  readonly authorization: string | null;
  /** What meets the key before anything else of the request is looked at. */
  readonly refusal?: 'UNAUTHENTICATED' | 'RATE_LIMITED';
  /** As the interface spells them. */
  readonly scopes: readonly string[];
  readonly organizationId: string;
  /** Null for an org-wide key. */
  readonly boundTo: Place | null;
  /** The organization has used up what its plan allows. */
  readonly isSpent: boolean;
}

/** What a field that names a project or a resource is given. */
export interface Choice {
  readonly name: string;
  /** Undefined leaves the field out. */
  readonly value: string | undefined;
  /** Where that which is named belongs; null where there is no such thing. */
  readonly place: Place | null;
}

/** One request, with all that decides about its answer. */
export interface Cell {
  readonly operation: ApiOperation;
  readonly credential: Credential;
  readonly project: Choice;
  readonly resource: { readonly field: ResourceField; readonly choice: Choice } | null;
  /** Something else of the request is not in shape. */
  readonly isBroken: boolean;
}

export type Expected =
  | { readonly type: 'granted'; readonly place: Place }
  | {
      readonly type: 'refused';
      readonly status: number;
      /** One of these. */
      readonly codes: readonly string[];
      /** What the message has to name. */
      readonly says: string;
    };

/**
 * What the contract promises, worked out from its order of checks alone: key 401, rate limit 429, scope 403,
 * shape 400, project 403 and 404, resource 404, quota 402.
 */
export function expectedOf({ operation, credential, project, resource, isBroken }: Cell): Expected {
  if (credential.refusal === 'UNAUTHENTICATED') return refused(401, ['UNAUTHENTICATED']);
  if (credential.refusal === 'RATE_LIMITED') return refused(429, ['RATE_LIMITED']);

  const missing = operation.scopes.find((scope) => !credential.scopes.includes(scope));
  if (missing !== undefined) return refused(403, ['SCOPE_MISSING'], missing);

  const { boundTo } = credential;
  const isMissing = boundTo === null && project.value === undefined;
  const isNotAllowed = boundTo !== null && project.place === boundTo;
  const fault = isMissing ? 'PROJECT_REQUIRED' : isNotAllowed ? 'PROJECT_NOT_ALLOWED' : null;
  // Of two faults of shape the interface may tell the first it finds.
  if (isBroken) return refused(400, ['VALIDATION_FAILED', ...(fault === null ? [] : [fault])]);
  if (fault !== null) return refused(400, [fault], isMissing ? 'org-wide' : 'projectId');

  if (boundTo !== null && project.value !== undefined) return refused(403, ['PROJECT_FORBIDDEN']);
  const place = boundTo ?? project.place;
  if (place === null || place.organizationId !== credential.organizationId) {
    return refused(404, ['NOT_FOUND']);
  }
  const named = resource?.choice;
  if (named?.value !== undefined && named.place !== place) return refused(404, ['NOT_FOUND']);

  const hasQuota = operation.responses['402'] !== undefined;
  if (credential.isSpent && hasQuota) return refused(402, ['QUOTA_EXCEEDED']);
  return { type: 'granted', place };
}

function refused(status: number, codes: readonly string[], says = ''): Expected {
  return { type: 'refused', status, codes, says };
}

/** Every cell of an operation. `resources` gives what a field of that kind may name. */
export function cellsOf(
  operation: ApiOperation,
  credentials: readonly Credential[],
  projects: readonly Choice[],
  resources: (field: ResourceField) => readonly Choice[],
): Cell[] {
  const named = resourceFields(operation).flatMap((field) => {
    const absent = { name: 'left out', value: undefined, place: null };
    const choices = [...resources(field), ...(field.isRequired ? [] : [absent])];
    return choices.map((choice) => ({ field, choice }));
  });
  const shapes = brokenRequest(sampleRequest(operation)) === null ? [false] : [false, true];
  return credentials.flatMap((credential) =>
    projects.flatMap((project) =>
      (named.length === 0 ? [null] : named).flatMap((resource) =>
        shapes.map((isBroken) => ({ operation, credential, project, resource, isBroken })),
      ),
    ),
  );
}

/** The request of a cell, with all of the operation's resources at `standing` but the one that is varied. */
export function requestOf(
  { operation, project, resource, isBroken }: Cell,
  standing: Place['standing'],
): ApiRequest {
  const required = resourceFields(operation).filter((field) => field.isRequired);
  const sample = required.reduce(
    (request, field) => withField(request, field, standing[field.kind]),
    sampleRequest(operation),
  );
  const named =
    resource === null ? sample : withField(sample, resource.field, resource.choice.value);
  const place = { name: 'projectId', in: projectPlace(operation) };
  const request = withField(named, place, project.value);
  return isBroken ? (brokenRequest(request) ?? request) : request;
}

export function titleOf({ operation, credential, project, resource, isBroken }: Cell): string {
  const fields = [
    `projectId ${project.name}`,
    ...(resource === null ? [] : [`${resource.field.name} ${resource.choice.name}`]),
    ...(isBroken ? ['out of shape'] : []),
  ];
  return `${operation.method} ${operation.path} with ${credential.name}: ${fields.join(', ')}`;
}

/** The same request out of shape, or null where an operation takes nothing that could be. */
function brokenRequest(request: ApiRequest): ApiRequest | null {
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
