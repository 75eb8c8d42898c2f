import {
  listKeyProjects,
  type KeyProject as Shape,
} from '../../domain/api-keys/list-key-projects.ts';
import { builder } from '../builder.ts';

const KeyProject = builder.objectRef<Shape>('KeyProject').implement({
  description: 'A project as an API key sees it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.queryField('keyProjects', (t) =>
  t.field({
    type: [KeyProject],
    description:
      'Projects that the calling API key may use, oldest first, at most 1,000. For API keys.',
    authScopes: { permission: 'chat' },
    resolve: (_root, _args, context) => listKeyProjects(context),
  }),
);
