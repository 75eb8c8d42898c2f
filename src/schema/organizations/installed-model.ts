import {
  type InstalledModel as Installed,
  listInstalledModels,
} from '../../domain/setup/installed-models.ts';
import { builder } from '../builder.ts';

const ModelKind = builder.enumType('ModelKind', {
  description: 'What a model is used for.',
  values: {
    CHAT: { description: 'Writes the answers.' },
    EMBEDDING: { description: 'Finds passages by their meaning.' },
    RERANKER: { description: 'Sorts the passages that were found.' },
    OCR: { description: 'Reads text in images and scans.' },
  } as const,
});

const InstalledModel = builder.objectRef<Installed>('InstalledModel').implement({
  description:
    'A model of the installation, which all projects share. Times and durations are those of the process that answers this query, since its start.',
  fields: (t) => ({
    kind: t.field({ type: ModelKind, resolve: ({ kind }) => kind }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Null if the installation has no such model.',
    }),
    host: t.exposeString('host', {
      nullable: true,
      description:
        'Host of the model server, such as `api.openai.com`. Null for a model that runs in the process of the service.',
    }),
    isHealthy: t.exposeBoolean('isHealthy', {
      nullable: true,
      description: 'Whether the latest call succeeded. Null before the first call, and for OCR.',
    }),
    lastSucceededAt: t.expose('lastSucceededAt', { type: 'DateTime', nullable: true }),
    lastFailedAt: t.expose('lastFailedAt', { type: 'DateTime', nullable: true }),
    medianMs: t.exposeFloat('medianMs', {
      nullable: true,
      description:
        'Median duration of the latest 50 successful calls, in milliseconds. For a chat model: of whole answers.',
    }),
  }),
});

builder.queryField('installedModels', (t) =>
  t.field({
    type: [InstalledModel],
    description:
      'Returns the models that serve a project: chat, embedding, reranker and OCR. For owners and admins. NOT_FOUND if the caller has no such project.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, args, context) => listInstalledModels(context, args),
  }),
);
