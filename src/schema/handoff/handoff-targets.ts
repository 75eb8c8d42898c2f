import { maxTargetMinutes } from '../../domain/handoff/handoff-targets.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalInteger } from '../input-rules.ts';

const descriptions = {
  firstReplyMinutes:
    'Minutes from the request to the first reply of the team. Only business hours count.',
  resolutionMinutes: 'Minutes from the request to the resolution. Only business hours count.',
};

export const HandoffTargets = builder
  .objectRef<{ firstReplyMinutes: number | null; resolutionMinutes: number | null }>(
    'HandoffTargets',
  )
  .implement({
    description: 'How soon the team of a project wants to reply to and resolve handoffs.',
    fields: (t) => ({
      firstReplyMinutes: t.exposeInt('firstReplyMinutes', {
        nullable: true,
        description: `${descriptions.firstReplyMinutes} Null: no target.`,
      }),
      resolutionMinutes: t.exposeInt('resolutionMinutes', {
        nullable: true,
        description: `${descriptions.resolutionMinutes} Null: no target.`,
      }),
    }),
  });

/** Columns of the project that contain the targets. */
export const targetColumns = {
  firstReplyTargetMinutes: true,
  resolutionTargetMinutes: true,
} as const;

const range = `From 1 to ${maxTargetMinutes}.`;

export const HandoffTargetsInput = builder.inputType('HandoffTargetsInput', {
  description:
    'Changes to the targets, for handoffs requested from now on. Omitted fields stay unchanged; null removes a target.',
  fields: (t) => ({
    firstReplyMinutes: t.int({ description: `${descriptions.firstReplyMinutes} ${range}` }),
    resolutionMinutes: t.int({ description: `${descriptions.resolutionMinutes} ${range}` }),
  }),
});

export const handoffTargetsSchema = fieldsSchema({
  firstReplyMinutes: optionalInteger(1, maxTargetMinutes),
  resolutionMinutes: optionalInteger(1, maxTargetMinutes),
});
