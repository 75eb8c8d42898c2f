import { listMembersOf, listProjectsOf } from '../domain/organizations/nested-lists.ts';
import {
  createOrganization,
  type EffectiveLimits as LimitsOf,
  limitsOf,
  updateOrganization,
} from '../domain/organizations/organizations.ts';
import { requireOrganization } from '../domain/organizations/require-organization.ts';
import { builder } from './builder.ts';
import { Membership } from './member.ts';
import { Project } from './project.ts';
import { rules, text, wholeNumber } from './text-rules.ts';

const maxInt = 2_147_483_647;

const OrganizationLimits = builder.objectRef<LimitsOf>('OrganizationLimits').implement({
  description: "What an organization may use: its own limits, else its plan's.",
  fields: (t) => ({
    monthlyMessages: t.exposeInt('monthlyMessages', {
      nullable: true,
      description: 'Messages answered by the assistant in a calendar month. Null: unlimited.',
    }),
    maxUploadBytes: t.exposeFloat('maxUploadBytes', { description: 'Bytes of one file.' }),
    storageBytes: t.exposeFloat('storageBytes', {
      nullable: true,
      description: 'Bytes of all documents. Null: unlimited.',
    }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', {
      description: 'REST requests of each API key.',
    }),
  }),
});

const Organization = builder.prismaObject('Organization', {
  description: 'A customer of the service: it owns projects, keys and members.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of the organization.' }),
    name: t.exposeString('name', { description: 'For people to read.' }),
    plan: t.exposeString('planName', { description: 'The name of the plan.' }),
    limits: t.field({
      type: OrganizationLimits,
      description: 'What it may use.',
      select: {
        monthlyMessages: true,
        maxUploadBytes: true,
        storageBytes: true,
        requestsPerMinute: true,
        plan: true,
      },
      resolve: limitsOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    members: t.prismaConnection({
      type: Membership,
      cursor: 'id',
      description: 'By address.',
      authScopes: { permission: 'organization:read' },
      resolve: (query, organization, _args, context) => listMembersOf(context, organization, query),
    }),
    projects: t.prismaConnection({
      type: Project,
      cursor: 'id',
      description: 'Newest first.',
      authScopes: { permission: 'organization:read' },
      resolve: (query, organization, _args, context) =>
        listProjectsOf(context, organization, query),
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
    monthlyMessages: t.int({
      description: 'Messages answered by the assistant in a calendar month.',
    }),
    maxUploadBytes: t.float({ description: 'Bytes of one file.' }),
    storageBytes: t.float({ description: 'Bytes of all documents.' }),
    requestsPerMinute: t.int({ description: 'REST requests of each API key.' }),
  }),
});

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  description: 'An organization to be made.',
  validate: rules({ name: text(200) }),
  fields: (t) => ({
    name: t.string({ required: true, description: 'At most 200 characters.' }),
    plan: t.string({ description: '`free` when left out.' }),
  }),
});

const UpdateOrganizationInput = builder.inputType('UpdateOrganizationInput', {
  description: 'What is left out stays as it is. Plan and limits are for the service role.',
  validate: rules({ name: text(200).nullish() }),
  fields: (t) => ({
    id: t.id({ required: true, description: 'Of the organization.' }),
    name: t.string({ description: 'At most 200 characters.' }),
    plan: t.string({ description: 'The name of the plan.' }),
    limits: t.field({ type: LimitsInput, description: 'Overrides of its limits.' }),
  }),
});

builder.queryFields((t) => ({
  organization: t.prismaField({
    type: Organization,
    nullable: true,
    description: 'An organization of the caller.',
    args: { id: t.arg.id({ required: true, description: 'The organization.' }) },
    authScopes: { permission: 'organization:read' },
    resolve: (query, _root, { id }, context) =>
      requireOrganization(context, id, 'organization:read', query),
  }),
}));

builder.mutationFields((t) => ({
  createOrganization: t.prismaField({
    type: Organization,
    description: 'Makes an organization. For the service role.',
    args: {
      input: t.arg({
        type: CreateOrganizationInput,
        required: true,
        description: 'The organization.',
      }),
    },
    authScopes: { permission: 'organization:create' },
    resolve: (_query, _root, { input }, context) => createOrganization(context, input),
  }),
  updateOrganization: t.prismaField({
    type: Organization,
    description: 'Changes an organization.',
    args: {
      input: t.arg({
        type: UpdateOrganizationInput,
        required: true,
        description: 'What is to change.',
      }),
    },
    authScopes: { permission: 'organization:manage' },
    resolve: (_query, _root, { input }, context) => updateOrganization(context, input),
  }),
}));
