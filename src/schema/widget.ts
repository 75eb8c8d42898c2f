import { rotateWidgetKey, updateWidget } from '../domain/widget/widgets.ts';
import { builder } from './builder.ts';

export const Widget = builder.prismaObject('Widget', {
  description: 'The chat of a project on web sites.',
  fields: (t) => ({
    projectId: t.exposeID('projectId', { description: 'Whose assistant speaks.' }),
    publishableKey: t.exposeString('publishableKey', {
      description:
        'Names the widget on pages, for everybody to see. It is no secret, and opens nothing else.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'Whether it answers at all.' }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description:
        'The sites that may use it, such as `https://www.example.com` or `https://*.example.com`. Without one it answers nobody.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const UpdateWidgetInput = builder.inputType('UpdateWidgetInput', {
  description: 'What is left out stays as it is.',
  fields: (t) => ({
    projectId: t.id({ required: true, description: 'The project.' }),
    isEnabled: t.boolean({ description: 'Whether it answers at all.' }),
    allowedOrigins: t.stringList({
      description:
        'At most 50 sites, all of them: `https://www.example.com`, `https://*.example.com`, or `http://localhost:5173`.',
    }),
  }),
});

const RotateWidgetKeyInput = builder.inputType('RotateWidgetKeyInput', {
  description: 'Whose key is to be replaced.',
  fields: (t) => ({ projectId: t.id({ required: true, description: 'The project.' }) }),
});

builder.mutationFields((t) => ({
  updateWidget: t.prismaField({
    type: Widget,
    description: "Changes a project's widget. It is made by the first change, for no site yet.",
    args: {
      input: t.arg({ type: UpdateWidgetInput, required: true, description: 'What is to change.' }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateWidget(context, input),
  }),
  rotateWidgetKey: t.prismaField({
    type: Widget,
    description: 'Replaces the publishable key. The old one ends at once.',
    args: {
      input: t.arg({ type: RotateWidgetKeyInput, required: true, description: 'Which widget.' }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => rotateWidgetKey(context, input),
  }),
}));
