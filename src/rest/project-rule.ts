import type { ApiKeyCaller } from '../domain/caller.ts';
import { DomainError } from '../domain/errors.ts';

export interface ProjectQuery {
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId?: string;
}

export interface ProjectBody {
  /**
   * The project to act on: with an org-wide key only, and always then.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId?: string;
}

/**
 * The id of the project a request addresses, or what is wrong with how it does: a project-scoped key
 * implies its project and must not send it, an org-wide key must send it in its place. Whether the
 * project exists is for the schema to say.
 */
export function chooseProject(
  caller: ApiKeyCaller,
  projectId: string | undefined,
  place: 'body' | 'query',
): string | DomainError {
  if (caller.projectId === null) {
    if (projectId !== undefined) return projectId;
    return new DomainError(
      'PROJECT_REQUIRED',
      `projectId is required in the ${place}: the API key is org-wide`,
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
