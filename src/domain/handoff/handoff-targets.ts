import { storedBusinessHours } from '../organizations/business-hours.ts';
import type { Project } from '../organizations/find-project.ts';
import { addOpenMinutes } from './add-open-minutes.ts';

/** 30 days, if the team is always available. */
export const maxTargetMinutes = 43_200;

export interface DueTimes {
  readonly firstReplyDueAt: Date | null;
  readonly resolutionDueAt: Date | null;
}

/** Returns the due times of a handoff. Null if there is no target, or too few business hours within a year. */
export function computeDueTimes(
  project: Pick<Project, 'businessHours' | 'firstReplyTargetMinutes' | 'resolutionTargetMinutes'>,
  requestedAt: Date,
): DueTimes {
  const hours = storedBusinessHours(project);
  const dueAt = (minutes: number | null) => {
    if (minutes === null) return null;
    return hours === null
      ? new Date(requestedAt.getTime() + minutes * 60_000)
      : addOpenMinutes(hours, requestedAt, minutes);
  };
  return {
    firstReplyDueAt: dueAt(project.firstReplyTargetMinutes),
    resolutionDueAt: dueAt(project.resolutionTargetMinutes),
  };
}
