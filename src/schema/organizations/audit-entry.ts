import { auditActions } from '../../domain/audit/audit-actions.ts';
import { builder } from '../builder.ts';
import { Node } from '../node.ts';

export const AuditAction = builder.enumType('AuditAction', {
  description: 'An action that the audit log records.',
  values: Object.fromEntries(
    Object.entries(auditActions).map(([name, description]) => [name, { description }]),
  ) as Record<keyof typeof auditActions, { description: string }>,
});

export const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'An entry of the audit log: who did what, when and from where.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    action: t.field({
      type: AuditAction,
      select: { action: true },
      resolve: ({ action }) => action as keyof typeof auditActions,
    }),
    actorType: t.exposeString('actorType', {
      description:
        '`OPERATOR`, `API_KEY`, `SERVICE` (the service role) or `CLI` (the command line).',
    }),
    actorId: t.exposeString('actorId', {
      nullable: true,
      description: 'User id of the operator or id of the API key. Null for other actors.',
    }),
    actorName: t.exposeString('actorName', {
      nullable: true,
      description: 'E-mail address of the operator or name of the API key at that time.',
    }),
    targetType: t.exposeString('targetType', {
      description: 'Kind of the changed object, such as `API_KEY` or `PROJECT`.',
    }),
    targetId: t.exposeString('targetId', { nullable: true }),
    targetName: t.exposeString('targetName', {
      nullable: true,
      description: 'Name, address or URL of the changed object at that time.',
    }),
    change: t.field({
      type: 'JSON',
      select: { change: true },
      description: 'The new values of the changed fields, without secrets. Long texts are cut.',
      resolve: ({ change }) => change as object,
    }),
    ipAddress: t.exposeString('ipAddress', {
      nullable: true,
      description: 'IP address of the client. Null for the command line.',
    }),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description:
        'Id of the request: the header `X-Request-Id` of its response, also in the log. Null without a request.',
    }),
  }),
});
