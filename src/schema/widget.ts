import { rotateWidgetKey, updateWidget } from '../domain/widget/widgets.ts';
import { builder } from './builder.ts';

export const Widget = builder.prismaObject('Widget', {
  description: 'Chat widget of a project for websites.',
  fields: (t) => ({
    projectId: t.exposeID('projectId'),
    publishableKey: t.exposeString('publishableKey', {
      description:
        'Public key that identifies the widget on web pages. Not a secret: it grants access to the widget only.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', {
      description: 'Whether the widget works. If false, the service rejects its requests.',
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      description:
        'Origins that may use the widget, such as `https://www.example.com` or `https://*.example.com`. With an empty list, no site may use it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const UpdateWidgetInput = builder.inputType('UpdateWidgetInput', {
  description: 'Changes to a widget. Omitted fields stay unchanged.',
  fields: (t) => ({
    projectId: t.id({ required: true }),
    isEnabled: t.boolean({
      description: 'Whether the widget works. If false, the service rejects its requests.',
    }),
    allowedOrigins: t.stringList({
      description:
        'Complete list of allowed origins, at most 50: `https://www.example.com`, `https://*.example.com` or `http://localhost:5173`.',
    }),
  }),
});

const RotateWidgetKeyInput = builder.inputType('RotateWidgetKeyInput', {
  description: 'The widget whose key is replaced.',
  fields: (t) => ({ projectId: t.id({ required: true }) }),
});

builder.mutationFields((t) => ({
  updateWidget: t.prismaField({
    type: Widget,
    description:
      'Changes the widget of a project. The first change creates the widget, by default without allowed origins. For owners and admins.',
    args: {
      input: t.arg({ type: UpdateWidgetInput, required: true }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateWidget(context, input),
  }),
  rotateWidgetKey: t.prismaField({
    type: Widget,
    description:
      'Replaces the publishable key. The old key stops working at once. For owners and admins.',
    args: {
      input: t.arg({ type: RotateWidgetKeyInput, required: true }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => rotateWidgetKey(context, input),
  }),
}));
