import { builder } from './builder.ts';
import {
  emailAddress,
  fieldsSchema,
  nonBlankText,
  optionalText,
  optionalUuidV7,
} from './input-rules.ts';

const expectedProject =
  'Project that the resource must belong to. Default: any project of the caller.';
const actingMember =
  'E-mail address of an owner, admin or agent in whose name an API key acts. Default: the key itself. Operators act only in their own name.';

export const RequestHandoffInput = builder.inputType('RequestHandoffInput', {
  description: "The conversation to hand over, and the end user's contact details.",
  validate: fieldsSchema({
    email: emailAddress.nullish(),
    name: nonBlankText(200).nullish(),
    reason: optionalText(2000),
  }),
  fields: (t) => ({
    projectId: t.id({ description: 'Optional with a project-scoped key, otherwise required.' }),
    conversationId: t.id({ required: true }),
    email: t.string({ description: 'Contact address of the end user, at most 254 characters.' }),
    name: t.string({ description: 'Name of the end user, 1 to 200 characters.' }),
    reason: t.string({ description: 'Why the handoff is requested, at most 2,000 characters.' }),
  }),
});

export const ClaimHandoffInput = builder.inputType('ClaimHandoffInput', {
  description: 'The handoff to claim.',
  validate: fieldsSchema({ agent: emailAddress.nullish() }),
  fields: (t) => ({
    handoffId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
  }),
});

export const TakeOverConversationInput = builder.inputType('TakeOverConversationInput', {
  description: 'The conversation to take over.',
  validate: fieldsSchema({ agent: emailAddress.nullish() }),
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
  }),
});

export const TransferHandoffInput = builder.inputType('TransferHandoffInput', {
  description: 'The open handoff, and its new owner.',
  validate: fieldsSchema({ to: emailAddress, note: nonBlankText(5_000).nullish() }),
  fields: (t) => ({
    handoffId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    to: t.string({
      required: true,
      description: 'E-mail address of an owner, admin or agent of the organization.',
    }),
    note: t.string({
      description:
        'Becomes an internal note of the caller, 1 to 5,000 characters. Ignored if the handoff already belongs to this member.',
    }),
  }),
});

export const ReleaseHandoffInput = builder.inputType('ReleaseHandoffInput', {
  description: 'The handoff to put back.',
  validate: fieldsSchema({ agent: emailAddress.nullish(), note: nonBlankText(5_000).nullish() }),
  fields: (t) => ({
    handoffId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
    note: t.string({
      description:
        'Becomes an internal note of the caller, 1 to 5,000 characters. Ignored if the handoff waits already.',
    }),
  }),
});

export const ResolveHandoffInput = builder.inputType('ResolveHandoffInput', {
  description: 'The handoff to resolve.',
  fields: (t) => ({
    handoffId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
  }),
});

export const ReturnToAssistantInput = builder.inputType('ReturnToAssistantInput', {
  description: 'The handoff to return to the assistant.',
  fields: (t) => ({
    handoffId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
  }),
});

export const MarkConversationReadInput = builder.inputType('MarkConversationReadInput', {
  description: 'The latest message that the agent has read.',
  validate: fieldsSchema({ agent: emailAddress.nullish() }),
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
    messageId: t.id({ required: true }),
  }),
});

export const SignalTypingInput = builder.inputType('SignalTypingInput', {
  description: 'The conversation in which an agent types.',
  validate: fieldsSchema({ agent: emailAddress.nullish() }),
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
    isTyping: t.boolean({ description: 'False ends the signal at once. Default: true.' }),
  }),
});

export const ReplyToConversationInput = builder.inputType('ReplyToConversationInput', {
  description: "A team member's reply to the end user.",
  validate: fieldsSchema({
    content: nonBlankText(10_000),
    messageId: optionalUuidV7,
    agent: emailAddress.nullish(),
  }),
  fields: (t) => ({
    conversationId: t.id({ required: true }),
    projectId: t.id({ description: expectedProject }),
    agent: t.string({ description: actingMember }),
    messageId: t.id({
      description:
        'UUIDv7 generated by the caller, for retries: a repeated request with the same id does not send the reply twice. The message has an id of its own.',
    }),
    content: t.string({
      required: true,
      description: 'Text of the reply, 1 to 10,000 characters.',
    }),
  }),
});
