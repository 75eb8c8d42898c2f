import { listExampleQuestions } from '../../domain/setup/example-questions.ts';
import { getProjectSetup, type ProjectSetup as Setup } from '../../domain/setup/project-setup.ts';
import { builder } from '../builder.ts';

const ProjectSetup = builder.objectRef<Setup>('ProjectSetup').implement({
  description: 'The setup of a project: the steps of the page "Get started".',
  fields: (t) => ({
    hasDocuments: t.exposeBoolean('hasDocuments', {
      description: 'Whether one of the latest 1,000 documents is `READY`.',
    }),
    hasConversation: t.exposeBoolean('hasConversation', {
      description: 'Whether anyone has asked a question, through any channel.',
    }),
    hasModelChoice: t.exposeBoolean('hasModelChoice', {
      description:
        'Whether the installation has a language model, or `keepsBuiltInModel` of `updateProject` is set.',
    }),
    hasWidgetConversation: t.exposeBoolean('hasWidgetConversation', {
      description: 'Whether one of the latest 1,000 conversations came from the widget.',
    }),
    hasColleague: t.exposeBoolean('hasColleague', {
      description: 'Whether the organization has a second member or an open invitation.',
    }),
    isHidden: t.exposeBoolean('isHidden', {
      description: 'Whether `isSetupHidden` of `updateProject` is set.',
    }),
    exampleQuestions: t.stringList({
      description:
        'Up to three questions that documents of the project answer, made from their headings without a language model. Empty if no heading is suitable.',
      resolve: ({ projectId }, _args, context) => listExampleQuestions(context, { projectId }),
    }),
  }),
});

builder.queryField('projectSetup', (t) =>
  t.field({
    type: ProjectSetup,
    description:
      'Returns the setup of a project. For owners and admins. NOT_FOUND if the caller has no such project.',
    args: { projectId: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, args, context) => getProjectSetup(context, args),
  }),
);
