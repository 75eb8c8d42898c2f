import type { BusinessHours as Hours } from '../../domain/organizations/business-hours.ts';
import { HumanRequest as HumanRequests } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalNumber, optionalText } from '../input-rules.ts';
import { BusinessHours, BusinessHoursInput, businessHoursSchema } from './business-hours.ts';

const HumanRequest = builder.enumType('HumanRequest', {
  description: 'Reaction of the assistant if an end user asks for a person.',
  values: {
    [HumanRequests.OFFER]: { description: 'It replies how to reach a person. The default.' },
    [HumanRequests.START]: {
      description:
        'It requests a handoff at once and replies with the holding message, or outside business hours with the out-of-hours message.',
    },
  },
});

export const AssistantSettings = builder.objectRef<{
  instructions: string | null;
  fallbackText: string | null;
  holdingText: string | null;
  outOfHoursText: string | null;
  businessHours: Hours | null;
  greetingText: string | null;
  thanksText: string | null;
  goodbyeText: string | null;
  identityText: string | null;
  helpText: string | null;
  humanText: string | null;
  complaintText: string | null;
  gibberishText: string | null;
  humanRequest: HumanRequests;
  confidenceThreshold: number | null;
}>('AssistantSettings');

AssistantSettings.implement({
  description: "Settings of a project's assistant. Null means the default.",
  fields: (t) => ({
    instructions: t.exposeString('instructions', {
      nullable: true,
      description: 'Instructions for the model, in addition to the grounding rules.',
    }),
    fallbackText: t.exposeString('fallbackText', {
      nullable: true,
      description: 'Reply to the end user if the knowledge base does not contain an answer.',
    }),
    holdingText: t.exposeString('holdingText', {
      nullable: true,
      description: 'Holding message while a team member owns the conversation.',
    }),
    outOfHoursText: t.exposeString('outOfHoursText', {
      nullable: true,
      description: 'Replaces the holding message outside business hours.',
    }),
    businessHours: t.expose('businessHours', {
      type: BusinessHours,
      nullable: true,
      description: 'Hours during which the team is available. Null means always.',
    }),
    greetingText: t.exposeString('greetingText', {
      nullable: true,
      description: 'Reply to a greeting.',
    }),
    thanksText: t.exposeString('thanksText', { nullable: true, description: 'Reply to thanks.' }),
    goodbyeText: t.exposeString('goodbyeText', {
      nullable: true,
      description: 'Reply to a goodbye.',
    }),
    identityText: t.exposeString('identityText', {
      nullable: true,
      description: 'Reply to questions about who the assistant is.',
    }),
    helpText: t.exposeString('helpText', {
      nullable: true,
      description: 'Reply to questions about what the assistant can do.',
    }),
    humanText: t.exposeString('humanText', {
      nullable: true,
      description: 'Reply to requests for a person, if `humanRequest` is OFFER.',
    }),
    complaintText: t.exposeString('complaintText', {
      nullable: true,
      description: 'Reply to complaints without a question.',
    }),
    gibberishText: t.exposeString('gibberishText', {
      nullable: true,
      description: 'Reply to messages without a meaning.',
    }),
    humanRequest: t.expose('humanRequest', {
      type: HumanRequest,
      description: 'Reaction of the assistant if an end user asks for a person.',
    }),
    confidenceThreshold: t.exposeFloat('confidenceThreshold', {
      nullable: true,
      description:
        'Minimum confidence for an answer, 0 to 1, compared before the answer is generated. Below it, the assistant sends the fallback text. Null means the default of the models: see `projectConfidence`.',
    }),
  }),
});

/** Columns of the project that contain the settings. */
export const assistantColumns = {
  instructions: true,
  fallbackText: true,
  holdingText: true,
  outOfHoursText: true,
  businessHours: true,
  greetingText: true,
  thanksText: true,
  goodbyeText: true,
  identityText: true,
  helpText: true,
  humanText: true,
  complaintText: true,
  gibberishText: true,
  humanRequest: true,
  confidenceThreshold: true,
} as const;

export const AssistantSettingsInput = builder.inputType('AssistantSettingsInput', {
  description: 'Changes to an assistant. Omitted fields stay unchanged; null restores the default.',
  fields: (t) => ({
    instructions: t.string({
      description:
        'Instructions for the model, in addition to the grounding rules; at most 8,000 characters.',
    }),
    fallbackText: t.string({
      description:
        'Reply to the end user if the knowledge base does not contain an answer, at most 2,000 characters.',
    }),
    holdingText: t.string({
      description:
        'Holding message while a team member owns the conversation, at most 2,000 characters.',
    }),
    outOfHoursText: t.string({
      description: 'Replaces the holding message outside business hours, at most 2,000 characters.',
    }),
    businessHours: t.field({
      type: BusinessHoursInput,
      description: 'Hours during which the team is available. Null means always.',
    }),
    greetingText: t.string({ description: 'Reply to a greeting, at most 2,000 characters.' }),
    thanksText: t.string({ description: 'Reply to thanks, at most 2,000 characters.' }),
    goodbyeText: t.string({ description: 'Reply to a goodbye, at most 2,000 characters.' }),
    identityText: t.string({
      description: 'Reply to questions about who the assistant is, at most 2,000 characters.',
    }),
    helpText: t.string({
      description: 'Reply to questions about what the assistant can do, at most 2,000 characters.',
    }),
    humanText: t.string({
      description:
        'Reply to requests for a person, if `humanRequest` is OFFER, at most 2,000 characters.',
    }),
    complaintText: t.string({
      description: 'Reply to complaints without a question, at most 2,000 characters.',
    }),
    gibberishText: t.string({
      description: 'Reply to messages without a meaning, at most 2,000 characters.',
    }),
    humanRequest: t.field({
      type: HumanRequest,
      description: 'Reaction of the assistant if an end user asks for a person.',
    }),
    confidenceThreshold: t.float({ description: 'Minimum confidence for an answer, 0 to 1.' }),
  }),
});

export const assistantSettingsSchema = fieldsSchema({
  instructions: optionalText(8000),
  fallbackText: optionalText(2000),
  holdingText: optionalText(2000),
  outOfHoursText: optionalText(2000),
  businessHours: businessHoursSchema.nullish(),
  greetingText: optionalText(2000),
  thanksText: optionalText(2000),
  goodbyeText: optionalText(2000),
  identityText: optionalText(2000),
  helpText: optionalText(2000),
  humanText: optionalText(2000),
  complaintText: optionalText(2000),
  gibberishText: optionalText(2000),
  confidenceThreshold: optionalNumber(0, 1),
});
