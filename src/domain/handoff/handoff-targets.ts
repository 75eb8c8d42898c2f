import { storedBusinessHours } from '../organizations/business-hours.ts';
import type { Project } from '../organizations/find-project.ts';
import { addOpenMinutes } from './add-open-minutes.ts';

/** 30 days if the team is available at all times. */
export const maxTargetMinutes = 43_200;

export interface DueTimes {
  readonly firstReplyDueAt: Date | null;
  readonly resolutionDueAt: Date | null;
}

/**
 * Returns the due times of a handoff. A due time is null if the project has no target, or has too few business hours
 * within a year.
 */
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
