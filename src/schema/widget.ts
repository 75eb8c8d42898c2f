import { defaultAiNotice } from '../domain/widget/ai-notice.ts';
import {
  type NewIdentitySecret as NewSecret,
  rotateIdentitySecret,
} from '../domain/widget/rotate-identity-secret.ts';
import { rotateWidgetKey, updateWidget } from '../domain/widget/widgets.ts';
import { builder } from './builder.ts';
import { fieldsSchema, nonBlankText, optionalInteger } from './input-rules.ts';
import { WidgetLook, WidgetLookInput, widgetLookSchema } from './widget-look.ts';

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
    isIdentityRequired: t.exposeBoolean('isIdentityRequired', {
      description: 'Whether the widget refuses visitors whose id the website has not signed.',
    }),
    aiNotice: t.string({
      description:
        'AI notice that visitors see before their first message. The default is returned in English, and shown in the language of the visitor.',
      resolve: ({ aiNotice }) => aiNotice ?? defaultAiNotice,
    }),
    look: t.field({
      type: WidgetLook,
      description: 'How the widget looks. Attributes of the script tag have precedence.',
      resolve: (widget) => widget,
    }),
    identitySecretCreatedAt: t.expose('identitySecretCreatedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when the current identity secret was created. The website signs the ids of its users with it. Null if there is none.',
    }),
    previousIdentitySecretExpiresAt: t.expose('previousIdentitySecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when ids that are signed with the previous secret are accepted. Null if there is none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

const UpdateWidgetInput = builder.inputType('UpdateWidgetInput', {
  description: 'Changes to a widget. Omitted fields stay unchanged.',
  validate: fieldsSchema({
    aiNotice: nonBlankText(200).nullish(),
    look: widgetLookSchema.nullish(),
  }),
  fields: (t) => ({
    projectId: t.id({ required: true }),
    isEnabled: t.boolean({
      description: 'Whether the widget works. If false, the service rejects its requests.',
    }),
    allowedOrigins: t.stringList({
      description:
        'Complete list of allowed origins, at most 50: `https://www.example.com`, `https://*.example.com` or `http://localhost:5173`.',
    }),
    isIdentityRequired: t.boolean({
      description:
        'Whether anonymous visitors are refused. Needs an identity secret, see rotateWidgetIdentitySecret.',
    }),
    aiNotice: t.string({
      description:
        'AI notice that visitors see before their first message, 1 to 200 characters. Null restores the default.',
    }),
    look: t.field({ type: WidgetLookInput, description: 'Changes to how the widget looks.' }),
  }),
});

const RotateWidgetKeyInput = builder.inputType('RotateWidgetKeyInput', {
  fields: (t) => ({ projectId: t.id({ required: true }) }),
});

const RotateWidgetIdentitySecretInput = builder.inputType('RotateWidgetIdentitySecretInput', {
  description: 'The widget whose identity secret is created or replaced.',
  validate: fieldsSchema({ overlapSeconds: optionalInteger(0, 30 * 24 * 60 * 60) }),
  fields: (t) => ({
    projectId: t.id({ required: true }),
    overlapSeconds: t.int({
      description:
        'Seconds for which ids that are signed with the old secret stay valid, 0 to 2,592,000 (30 days). Default: 86,400 (one day).',
    }),
  }),
});

const NewIdentitySecret = builder.objectRef<NewSecret>('NewIdentitySecret').implement({
  description: 'A widget and its new identity secret.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description:
        'Key of the HMAC-SHA256 of user ids, with its prefix `idsec_`. Store it now: it cannot be read again.',
    }),
    widget: t.field({ type: Widget, resolve: ({ widget }) => widget }),
  }),
});

builder.mutationFields((t) => ({
  rotateWidgetIdentitySecret: t.field({
    type: NewIdentitySecret,
    description:
      'Creates or replaces the identity secret. The website signs the ids of its users with it. Returns the secret once. For owners and admins.',
    args: {
      input: t.arg({ type: RotateWidgetIdentitySecretInput, required: true }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_root, { input }, context) => rotateIdentitySecret(context, input),
  }),
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
