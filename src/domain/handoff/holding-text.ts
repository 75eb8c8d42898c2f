import type { Project } from '../organizations/require-project.ts';
import { isOpenAt, storedBusinessHours } from './business-hours.ts';

const defaultHoldingText =
  'Someone from our team has taken over this conversation and will answer you here.';

const defaultOutOfHoursText =
  'Our team is not here at the moment. Someone will answer you here once we are back.';

/** What an end user is told outside of the team's hours; null within them, and always where a project has none. */
export function outOfHoursTextAt(project: Project, moment: Date): string | null {
  const hours = storedBusinessHours(project);
  if (hours === null || isOpenAt(hours, moment)) return null;
  return project.outOfHoursText ?? defaultOutOfHoursText;
}

/** What an end user is told at this moment while a person has the conversation. */
export function holdingTextAt(project: Project, moment: Date): string {
  return outOfHoursTextAt(project, moment) ?? project.holdingText ?? defaultHoldingText;
}
