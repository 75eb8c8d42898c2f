import { createOrganization, updateOrganization } from '../domain/organizations/organizations.ts';
import { requireOrganization } from '../domain/organizations/require-organization.ts';
import { builder } from './builder.ts';
import { rules, text, wholeNumber } from './text-rules.ts';

const maxInt = 2_147_483_647;

const Organization = builder.prismaObject('Organization', {
  description: 'A customer of the service: it owns projects, keys and members.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    plan: t.exposeString('planName', { description: 'The name of the plan.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    members: t.relation('members', {
      description: 'By address.',
      query: { orderBy: { email: 'asc' }, take: 1000 },
    }),
    projects: t.relatedConnection('projects', {
      description: 'Newest first.',
      cursor: 'id',
      query: { orderBy: { id: 'desc' } },
    }),
  }),
});

const LimitsInput = builder.inputType('OrganizationLimitsInput', {
  description: "Overrides of the plan's limits. Null gives the plan's limit back.",
  validate: rules({
    monthlyMessages: wholeNumber(0, maxInt),
    maxUploadBytes: wholeNumber(1, 1_000_000_000),
    storageBytes: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    requestsPerMinute: wholeNumber(1, 1_000_000),
  }),
  fields: (t) => ({
    monthlyMessages: t.int(),
    maxUploadBytes: t.float(),
    storageBytes: t.float(),
    requestsPerMinute: t.int(),
  }),
});

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    name: t.string({ required: true }),
    plan: t.string({ description: '`free` when left out.' }),
  }),
});

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'What is left out stays as it is. Plan and limits are for the service role.',
  validate: rules({ name: text(200).nullish() }),
  fields: (t) => ({
    id: t.id({ required: true }),
    name: t.string(),
    plan: t.string(),
    limits: t.field({ type: LimitsInput }),
  }),
});

builder.queryFields((t) => ({
  organization: t.prismaField({
    type: Organization,
    description: 'An organization of the caller.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireOrganization(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createOrganization: t.prismaField({
    type: Organization,
    description: 'Makes an organization. For the service role.',
    args: { input: t.arg({ type: CreateOrganizationInput, required: true }) },
    authScopes: { permission: 'organization:create' },
    resolve: (_query, _root, { input }, context) => createOrganization(context, input),
  }),
  updateOrganization: t.prismaField({
    type: Organization,
    description: 'Changes an organization.',
    args: { input: t.arg({ type: UpdateOrganizationInput, required: true }) },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateOrganization(context, input),
  }),
}));
