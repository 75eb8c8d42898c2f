import type { Request } from 'express';
import type { ApiKeyCaller } from '../../domain/caller.ts';
import { DomainError } from '../../platform/errors.ts';
import { isIsoDay } from '../../text/iso-date-time.ts';
import { compileValidator, type Problem, problem } from './compile-validator.ts';
import type { ObjectSchema, Operation } from './operations.ts';
import { type JsonObject, readJsonBodyOrList } from './read-json-body.ts';

// A controller always receives the project id. A client may omit it: see `makeProjectOptional` in `print-openapi.ts`.

export interface ProjectQuery {
  /**
   * The project that the request is for. Required with an org-wide key, refused with a project-scoped key.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
}

export interface ProjectBody extends ProjectQuery {}

/** The validated headers, query and body with their defaults, and the id of the project that the request is for. */
export interface OperationInput {
  readonly headers: JsonObject;
  readonly query: JsonObject;
  readonly body: JsonObject;
  /**
   * The project's id, or the error `PROJECT_FORBIDDEN`. The caller throws this error after all other checks of the
   * request's shape.
   */
  readonly projectIdOrError: string | DomainError;
}

/**
 * Creates a function that reads and checks the requests of an operation. The function throws one `VALIDATION_FAILED`
 * with a message for every invalid field. If a wrong use of `projectId` is the only error, that error has its own code.
 */
export function createInputReader(
  operation: Operation,
): (request: Request, caller: ApiKeyCaller) => Promise<OperationInput> {
  const { body: expectedBody } = operation;
  const validateHeaders = compileValidator(operation.headers);
  const validateQuery = compileValidator(operation.query);
  const validateBody =
    expectedBody.type === 'json' ? compileValidator(expectedBody.schema) : () => [];

  return async (request, caller) => {
    const headers = readHeaders(request, operation.headers);
    const query = readQuery(request, operation.query);
    const json =
      expectedBody.type === 'json' ? await readJsonBodyOrList(request, expectedBody) : null;
    const body =
      json !== null && expectedBody.type === 'json'
        ? omitNulls(json.fields, expectedBody.schema)
        : {};
    const projectIdLocation = json === null || json.isArray ? 'query' : 'body';
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

/**
 * Removes optional fields that are null, because typed clients send null for unset fields. Keeps null where it has a
 * meaning.
 */
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

/**
 * Reads the headers in `schema`. If a header was sent twice, reports it as invalid, because Node would join its values.
 */
function readHeaders(request: Request, schema: ObjectSchema): ParsedFields {
  return readSingleValues(schema, (name) => request.headersDistinct[name.toLowerCase()] ?? []);
}

const maxParameters = 100;

interface ParsedQuery extends ParsedFields {
  /** One problem for every parameter that is not in the schema, except for `projectId`. */
  readonly unknown: readonly Problem[];
  /** Also set if the operation does not expect `projectId` in the query. */
  readonly projectId: string | undefined;
}

/**
 * Reads the parameters in `schema`. Reports all other parameters as problems. Texts are in NFC.
 * @throws DomainError MALFORMED_REQUEST
 */
function readQuery(request: Request, schema: ObjectSchema): ParsedQuery {
  const passed = parseQueryString(request);
  if (passed.size > maxParameters) {
    const message = `The query must not have more than ${maxParameters} parameters`;
    throw new DomainError('MALFORMED_REQUEST', message);
  }
  const { values, problems } = readSingleValues(schema, (name) => passed.getAll(name));
  for (const [name, value] of Object.entries(values)) {
    const type = schema.properties[name]?.type;
    if (type === 'integer') values[name] = parseNumber(String(value), integerPattern);
    else if (type === 'number') values[name] = parseNumber(String(value), decimalPattern);
    else values[name] = String(value).normalize('NFC');
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

/** Reads the fields in `schema`. Reports a field with more than one value as a problem. */
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

/**
 * Converts parameters that may be a date or a time to times. In `to`, a date means the end of the day. In other
 * parameters, a date means the start of the day, in UTC.
 */
function toDateTimes(values: JsonObject, { properties }: ObjectSchema): JsonObject {
  const complete = ([name, value]: readonly [string, unknown]) => {
    const isDate = properties[name]?.anyOf !== undefined && isIsoDay(String(value));
    const time = name === 'to' ? 'T23:59:59.999Z' : 'T00:00:00.000Z';
    return [name, isDate ? `${value}${time}` : value] as const;
  };
  return Object.fromEntries(Object.entries(values).map(complete));
}

const integerPattern = /^-?\d{1,15}$/;
const decimalPattern = /^-?\d{1,15}(?:\.\d{1,20})?$/;

/** A text that is not a plain number stays a text. It then fails the type check. */
function parseNumber(text: string, pattern: RegExp): number | string {
  return pattern.test(text) ? Number(text) : text;
}

/**
 * Returns the id of the project that a request is for, or an error if the request names it in a wrong way. A
 * project-scoped key implies its project, so the request must not send the id. With an org-wide key, the request must
 * send the id in `location`. The schema checks that the id is present.
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
