import { listMembersOf, listProjectsOf } from '../../domain/nested/nested-lists.ts';
import { listAuditEntries } from '../../domain/organizations/audit-log.ts';
import {
  createOrganization,
  effectiveLimits,
  type EffectiveLimits as LimitsOf,
  limitColumns,
  updateOrganization,
} from '../../domain/organizations/organizations.ts';
import { requireOrganization } from '../../domain/organizations/require-organization.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, nonBlankText, optionalInteger } from '../input-rules.ts';
import { Node } from '../node.ts';
import { AuditAction, AuditEntry } from './audit-entry.ts';
import { Membership } from './member.ts';
import { Project } from './project.ts';

const maxInt = 2_147_483_647;

const OrganizationLimits = builder.objectRef<LimitsOf>('OrganizationLimits').implement({
  description: 'Limits of an organization. A limit without an override has the value of the plan.',
  fields: (t) => ({
    monthlyMessages: t.exposeInt('monthlyMessages', {
      nullable: true,
      description: 'Messages answered by the assistant per calendar month. Null: unlimited.',
    }),
    monthlyEvaluatedQuestions: t.exposeInt('monthlyEvaluatedQuestions', {
      nullable: true,
      description: 'Questions that evaluation runs ask per calendar month. Null: unlimited.',
    }),
    monthlyJudgedQuestions: t.exposeInt('monthlyJudgedQuestions', {
      nullable: true,
      description:
        'Answers of evaluation runs that the language model judges per calendar month. Null: unlimited.',
    }),
    maxUploadBytes: t.exposeFloat('maxUploadBytes', {
      description: 'Maximum size of one file, in bytes.',
    }),
    storageBytes: t.exposeFloat('storageBytes', {
      nullable: true,
      description: 'Total size of all documents, in bytes. Null: unlimited.',
    }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      description: 'Requests per minute of each API key.',
    }),
  }),
});

const Organization = builder.prismaObject('Organization', {
  description: 'A tenant: owns projects, API keys and members.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    plan: t.exposeString('planName', { description: 'Name of the plan, such as `free`.' }),
    limits: t.field({ type: OrganizationLimits, select: limitColumns, resolve: effectiveLimits }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    members: t.prismaConnection({
      type: Membership,
      cursor: 'place',
      description: 'Members, by e-mail address.',
      authScopes: { permission: 'organization:read' },
      resolve: (query, organization, _args, context) => listMembersOf(context, organization, query),
    }),
    projects: t.prismaConnection({
      type: Project,
      cursor: 'id',
      description: 'Projects, newest first.',
      authScopes: { permission: 'organization:read' },
      resolve: (query, organization, _args, context) =>
        listProjectsOf(context, organization, query),
    }),
    auditLog: t.prismaConnection({
      type: AuditEntry,
      cursor: 'place',
      description: 'Audit log, newest first. For owners.',
      args: {
        action: t.arg({ type: AuditAction }),
        actor: t.arg.string({
          description:
            'Id of the actor, or its name (e-mail address, name of the API key) in any case.',
        }),
        from: t.arg({ type: 'DateTime', description: 'Entries from this time on.' }),
        to: t.arg({ type: 'DateTime', description: 'Entries before this time.' }),
      },
      authScopes: { permission: 'audit:read' },
      resolve: (query, organization, filter, context) =>
        listAuditEntries(context, organization, filter, query),
    }),
  }),
});

const LimitsInput = builder.inputType('OrganizationLimitsInput', {
  description: "Overrides of the plan's limits. Null restores the plan's value.",
  validate: fieldsSchema({
    monthlyMessages: optionalInteger(0, maxInt),
    monthlyEvaluatedQuestions: optionalInteger(0, maxInt),
    monthlyJudgedQuestions: optionalInteger(0, maxInt),
    maxUploadBytes: optionalInteger(1, 1_000_000_000),
    storageBytes: optionalInteger(0, Number.MAX_SAFE_INTEGER),
    requestsPerMinute: optionalInteger(1, 1_000_000),
  }),
  fields: (t) => ({
    monthlyMessages: t.int({
      description: 'Messages answered by the assistant per calendar month, 0 to 2,147,483,647.',
    }),
    monthlyEvaluatedQuestions: t.int({
      description:
        'Questions that evaluation runs ask per calendar month, 0 to 2,147,483,647. If the plan has no value: ten times the monthly messages.',
    }),
    monthlyJudgedQuestions: t.int({
      description:
        'Answers of evaluation runs that the language model judges per calendar month, 0 to 2,147,483,647. If the plan has no value: ten times the monthly messages.',
    }),
    maxUploadBytes: t.float({ description: 'Maximum size of one file, 1 to 1,000,000,000 bytes.' }),
    storageBytes: t.float({
      description: 'Total size of all documents, in bytes, 0 to 9,007,199,254,740,991.',
    }),
    requestsPerMinute: t.int({
      description: 'Requests per minute of each API key, 1 to 1,000,000.',
    }),
  }),
});

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  validate: fieldsSchema({ name: nonBlankText(200) }),
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, 1 to 200 characters.' }),
    plan: t.string({ description: 'Name of a plan. Default: `free`.' }),
  }),
});

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description:
    'Changes to an organization. Omitted fields stay unchanged. Only the service role may change plan and limits.',
  validate: fieldsSchema({ name: nonBlankText(200).nullish() }),
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string({ description: 'Display name, 1 to 200 characters.' }),
    plan: t.string({ description: 'Name of a plan, such as `pro`.' }),
    limits: t.field({ type: LimitsInput }),
  }),
});

builder.queryFields((t) => ({
  organization: t.prismaField({
    type: Organization,
    nullable: true,
    description: 'An organization that the caller may read, by id. NOT_FOUND if there is none.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireOrganization(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createOrganization: t.prismaField({
    type: Organization,
    description: 'Creates an organization. For the service role only.',
    args: { input: t.arg({ type: CreateOrganizationInput, required: true }) },
    authScopes: { permission: 'organization:create' },
    resolve: (query, _root, { input }, context) => createOrganization(context, input, query),
  }),
  updateOrganization: t.prismaField({
    type: Organization,
    description: 'Changes an organization. For owners and admins.',
    args: { input: t.arg({ type: UpdateOrganizationInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (query, _root, { input }, context) => updateOrganization(context, input, query),
  }),
}));
