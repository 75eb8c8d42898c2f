import { isOpenAt, storedBusinessHours } from '../organizations/business-hours.ts';
import type { Project } from '../organizations/find-project.ts';

const defaultHoldingMessage =
  'Someone from our team has taken over this conversation and will answer you here.';

const defaultOutOfHoursMessage =
  'Our team is not here at the moment. Someone will answer you here once we are back.';

/**
 * Returns the project's out-of-hours message. Returns null during business hours, and if the project has no business
 * hours.
 */
export function outOfHoursMessageAt(project: Project, time: Date): string | null {
  const hours = storedBusinessHours(project);
  if (hours === null || isOpenAt(hours, time)) return null;
  return project.outOfHoursText ?? defaultOutOfHoursMessage;
}

/** The reply to end users who write while an agent owns the conversation. */
export interface HoldingMessage {
  readonly text: string;
  readonly isOutOfHours: boolean;
}

/** Returns the message that end users receive at `time` while an agent owns the conversation. */
export function holdingMessageAt(project: Project, time: Date): HoldingMessage {
  const outOfHours = outOfHoursMessageAt(project, time);
  const text = outOfHours ?? project.holdingText ?? defaultHoldingMessage;
  return { text, isOutOfHours: outOfHours !== null };
}
