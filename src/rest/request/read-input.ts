import type { Request } from 'express';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import { DomainError } from '../../platform/errors.ts';
import { isIsoDay } from '../../text/iso-date-time.ts';
import { compileValidator, type Problem, problem } from './compile-validator.ts';
import type { ObjectSchema, Operation } from './operations.ts';
import { type JsonObject, readJsonBody } from './read-json-body.ts';

// A controller always receives the project. A client may leave it out: see `makeProjectOptional` of `print-openapi.ts`.

export interface ProjectQuery {
  /**
   * The project to act on. Required with an org-wide key, refused with a project-scoped key.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
}

export interface ProjectBody {
  /**
   * The project to act on. Required with an org-wide key, refused with a project-scoped key.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
}

/** The validated headers, query and body with their defaults, and the project they address. */
export interface OperationInput {
  readonly headers: JsonObject;
  readonly query: JsonObject;
  readonly body: JsonObject;
  /** The project's id, or `PROJECT_FORBIDDEN`. The caller throws that error after all other checks of the shape. */
  readonly projectIdOrError: string | DomainError;
}

/**
 * Compiles the checks of an operation into a reader of its requests. The reader throws one
 * `VALIDATION_FAILED` with a message for every invalid field. A wrong use of `projectId` has its own code if it is
 * the only error.
 */
export function createInputReader(
  operation: Operation,
): (request: Request, caller: ApiKeyCaller) => Promise<OperationInput> {
  const { body: expectedBody } = operation;
  const validateHeaders = compileValidator(operation.headers);
  const validateQuery = compileValidator(operation.query);
  const validateBody =
    expectedBody.type === 'json' ? compileValidator(expectedBody.schema) : () => [];
  const projectIdLocation = expectedBody.type === 'json' ? 'body' : 'query';

  return async (request, caller) => {
    const headers = readHeaders(request, operation.headers);
    const query = readQuery(request, operation.query);
    const body =
      expectedBody.type === 'json'
        ? omitNulls(await readJsonBody(request, expectedBody), expectedBody.schema)
        : {};
    const problems = [
      ...headers.problems,
      ...validateHeaders(headers.values),
      ...query.problems,
      ...validateQuery(query.values),
      ...query.unknown,
      ...validateBody(body),
    ];
    if (
      projectIdLocation === 'body' &&
      body.projectId !== undefined &&
      query.projectId !== undefined
    )
      problems.push(problem('projectId', 'must be passed once'));
    const hasProjectIdProblem = problems.some(({ field }) => field === 'projectId');

    const givenProjectId = projectIdLocation === 'body' ? body.projectId : query.projectId;
    const misplacedProjectId =
      projectIdLocation === 'body' && caller.projectId !== null ? query.projectId : undefined;
    const project = resolveProjectId(
      caller,
      stringOrUndefined(givenProjectId) ?? misplacedProjectId,
      projectIdLocation,
    );
    if (!hasProjectIdProblem && isProjectUsageError(project))
      throwValidationError(problems, project);
    if (problems.length > 0) throwValidationError(problems);
    return {
      headers: headers.values,
      query: toDateTimes(query.values, operation.query),
      body,
      projectIdOrError: project,
    };
  };
}

/** Removes optional fields that are null: typed clients send unset fields so. Where null has a meaning, it stays. */
function omitNulls(body: JsonObject, { properties, required = [] }: ObjectSchema): JsonObject {
  const isUnset = ([name, value]: readonly [string, unknown]) =>
    value === null &&
    Object.hasOwn(properties, name) &&
    properties[name]?.nullable !== true &&
    !required.includes(name);
  return Object.fromEntries(Object.entries(body).filter((field) => !isUnset(field)));
}

interface ParsedFields {
  readonly values: Record<string, unknown>;
  readonly problems: readonly Problem[];
}

/** Reads the headers in `schema`. A header that was sent twice is reported as invalid, because Node would join its values. */
function readHeaders(request: Request, schema: ObjectSchema): ParsedFields {
  return readSingleValues(schema, (name) => request.headersDistinct[name.toLowerCase()] ?? []);
}

const maxParameters = 100;

interface ParsedQuery extends ParsedFields {
  /** One problem for every parameter that is not in the schema, except `projectId`. */
  readonly unknown: readonly Problem[];
  /** Also set where the operation does not expect `projectId` in the query. */
  readonly projectId: string | undefined;
}

/** Reads the parameters in `schema`; others are problems. Texts are in NFC. Throws `MALFORMED_REQUEST`. */
function readQuery(request: Request, schema: ObjectSchema): ParsedQuery {
  const passed = parseQueryString(request);
  if (passed.size > maxParameters) {
    const message = `The query must not have more than ${maxParameters} parameters`;
    throw new DomainError('MALFORMED_REQUEST', message);
  }
  const { values, problems } = readSingleValues(schema, (name) => passed.getAll(name));
  for (const [name, value] of Object.entries(values)) {
    const isInteger = schema.properties[name]?.type === 'integer';
    values[name] = isInteger ? parseInteger(String(value)) : String(value).normalize('NFC');
  }
  const unknown = [...new Set(passed.keys())].filter(
    (name) => name !== 'projectId' && !Object.hasOwn(schema.properties, name),
  );
  return {
    values,
    problems,
    unknown: unknown.map((name) => problem(name, 'is not a known parameter')),
    projectId: passed.get('projectId') ?? undefined,
  };
}

/** Reads the fields in `schema`. A field with more than one value is a problem. */
function readSingleValues(
  schema: ObjectSchema,
  valuesOf: (name: string) => readonly string[],
): ParsedFields {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const name of Object.keys(schema.properties)) {
    const [value, ...more] = valuesOf(name);
    if (value === undefined) continue;
    if (more.length > 0) problems.push({ field: name, message: `${name} must be passed once` });
    else values[name] = value;
  }
  return { values, problems };
}

function parseQueryString(request: Request): URLSearchParams {
  const text = /\?([^#]*)/.exec(request.originalUrl)?.[1] ?? '';
  try {
    decodeURIComponent(text);
  } catch (error) {
    throw new DomainError('MALFORMED_REQUEST', 'The query is not valid percent-encoded UTF-8', {
      cause: error,
    });
  }
  return new URLSearchParams(text);
}

/** Completes parameters that may be a date or a time: `to` names the end of the day, others its start, in UTC. */
function toDateTimes(values: JsonObject, { properties }: ObjectSchema): JsonObject {
  const complete = ([name, value]: readonly [string, unknown]) => {
    const isDate = properties[name]?.anyOf !== undefined && isIsoDay(String(value));
    const time = name === 'to' ? 'T23:59:59.999Z' : 'T00:00:00.000Z';
    return [name, isDate ? `${value}${time}` : value] as const;
  };
  return Object.fromEntries(Object.entries(values).map(complete));
}

/** Text that is no plain number stays text and fails the type check. */
function parseInteger(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/**
 * Returns the id of the project that a request addresses, or the error in how it does so. A project-scoped key implies
 * its project and must not send it; an org-wide key must send it in `location`. The schema checks that it exists.
 */
function resolveProjectId(
  caller: ApiKeyCaller,
  projectId: string | undefined,
  location: 'body' | 'query',
): string | DomainError {
  if (caller.projectId === null) {
    if (projectId !== undefined) return projectId;
    return new DomainError(
      'PROJECT_REQUIRED',
      `projectId is required in the ${location}: the API key is org-wide`,
    );
  }
  if (projectId === undefined) return caller.projectId;
  if (projectId.toLowerCase() === caller.projectId) {
    return new DomainError(
      'PROJECT_NOT_ALLOWED',
      'projectId must not be passed with a project-scoped key',
    );
  }
  return new DomainError('PROJECT_FORBIDDEN', 'The API key is restricted to a different project');
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isProjectUsageError(project: string | DomainError): project is DomainError {
  return project instanceof DomainError && project.code !== 'PROJECT_FORBIDDEN';
}

function throwValidationError(problems: readonly Problem[], project?: DomainError): never {
  if (project !== undefined && problems.length === 0) throw project;
  const messages = problems.map(({ message }) => message);
  if (project !== undefined) messages.push(project.message);
  throw new DomainError('VALIDATION_FAILED', messages);
}
