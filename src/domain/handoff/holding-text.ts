import type { Project } from '../organizations/require-project.ts';
import { isOpenAt, storedBusinessHours } from './business-hours.ts';

const defaultHoldingText =
  'Someone from our team has taken over this conversation and will answer you here.';

const defaultOutOfHoursText =
  'Our team is not here at the moment. Someone will answer you here once we are back.';

/** Whether it is within the team's hours; a project without any has a team at all times. */
export function isTeamThere(project: Project, moment: Date): boolean {
  const hours = storedBusinessHours(project);
  return hours === null || isOpenAt(hours, moment);
}

/** What an end user is told at this moment while a person has the conversation. */
export function holdingTextAt(project: Project, moment: Date): string {
  return isTeamThere(project, moment)
    ? (project.holdingText ?? defaultHoldingText)
    : (project.outOfHoursText ?? defaultOutOfHoursText);
}
