import type { ApiKeyCaller } from '../../domain/caller.ts';
import { executeGraphql, graphql } from '../graphql/execute-graphql.ts';
import type { RestCall } from '../request/rest-call.ts';
import { defaultModelId, modelNotFound } from './read-request.ts';

interface Model {
  readonly id: string;
  readonly object: 'model';
  /** Unix time in seconds. */
  readonly created: number;
  readonly owned_by: string;
}

/**
 * Lists the projects that the key can use. Each project is a model. A project-scoped key also has the model `grounded`.
 */
export async function listModels(call: RestCall): Promise<{ object: 'list'; data: Model[] }> {
  const { keyProjects } = await executeGraphql(call, projectsQuery, {});
  const models = keyProjects.map(({ id, createdAt }) => toModel(id, createdAt));
  return { object: 'list', data: [...defaultModel(call.caller, models), ...models] };
}

/** @throws OpenAiRequestError when the key has no such model. */
export async function getModel(call: RestCall, id: string): Promise<Model> {
  const { data } = await listModels(call);
  const model = data.find((model) => model.id === id);
  if (model === undefined) throw modelNotFound(id);
  return model;
}

function defaultModel({ projectId }: ApiKeyCaller, models: readonly Model[]): Model[] {
  if (projectId === null) return [];
  return models.map((model) => ({ ...model, id: defaultModelId }));
}

function toModel(id: string, createdAt: string): Model {
  const created = Math.floor(new Date(createdAt).getTime() / 1_000);
  return { id, object: 'model', created, owned_by: 'grounded-chat' };
}

const projectsQuery = graphql('query projects { keyProjects { id createdAt } }');
