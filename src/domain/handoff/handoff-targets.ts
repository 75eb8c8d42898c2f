import type { Project } from '../organizations/require-project.ts';
import { addOpenMinutes } from './add-open-minutes.ts';
import { storedBusinessHours } from './business-hours.ts';

/** 30 days, if the team is always available. */
export const maxTargetMinutes = 43_200;

/** Targets of a project, in minutes of business hours from the request. Null removes a target. */
export interface HandoffTargets {
  readonly firstReplyMinutes?: number | null;
  readonly resolutionMinutes?: number | null;
}

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
