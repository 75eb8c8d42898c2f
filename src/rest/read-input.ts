import type { Request } from 'express';
import type { ApiKeyCaller } from '../domain/caller.ts';
import { DomainError } from '../domain/errors.ts';
import type { Operation } from './operations.ts';
import { chooseProject } from './project-rule.ts';
import { readHeaders } from './read-headers.ts';
import { type JsonObject, readJsonBody } from './read-json-body.ts';
import { readQuery } from './read-query.ts';
import { compileCheck, type Problem } from './validate.ts';

/** The validated headers, query and body, defaults filled in, and the project they are about. */
export interface Input {
  readonly headers: JsonObject;
  readonly query: JsonObject;
  readonly body: JsonObject;
  /** The project's id, or `PROJECT_FORBIDDEN`: to be thrown once the whole request is in shape. */
  readonly project: string | DomainError;
}

/**
 * Compiles the checks of an operation into a reader of its requests. The reader throws one
 * `VALIDATION_FAILED` with a message for every invalid field; a wrong use of `projectId` that is the
 * only fault has a code of its own.
 */
export function inputReader(
  operation: Operation,
): (request: Request, caller: ApiKeyCaller) => Promise<Input> {
  const { body: expected } = operation;
  const checkHeaders = compileCheck(operation.headers);
  const checkQuery = compileCheck(operation.query);
  const checkBody = expected.type === 'json' ? compileCheck(expected.schema) : () => [];
  const place = expected.type === 'json' ? 'body' : 'query';

  return async (request, caller) => {
    const headers = readHeaders(request, operation.headers);
    const query = readQuery(request, operation.query);
    const body = expected.type === 'json' ? await readJsonBody(request, expected) : {};
    const problems = [
      ...headers.problems,
      ...checkHeaders(headers.values),
      ...query.problems,
      ...checkQuery(query.values),
      ...checkBody(body),
    ];
    const isProjectUnclear = problems.some(({ field }) => field === 'projectId');

    const passed = place === 'body' ? body.projectId : query.projectId;
    const unasked = place === 'body' && caller.projectId !== null ? query.projectId : undefined;
    const project = chooseProject(caller, text(passed) ?? unasked, place);
    if (!isProjectUnclear && isFaultOfShape(project)) refuse(problems, project);
    if (problems.length > 0) refuse(problems);
    return { headers: headers.values, query: query.values, body, project };
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isFaultOfShape(project: string | DomainError): project is DomainError {
  return project instanceof DomainError && project.code !== 'PROJECT_FORBIDDEN';
}

function refuse(problems: readonly Problem[], project?: DomainError): never {
  if (project !== undefined && problems.length === 0) throw project;
  const messages = problems.map(({ message }) => message);
  if (project !== undefined) messages.push(project.message);
  throw new DomainError('VALIDATION_FAILED', messages);
}
