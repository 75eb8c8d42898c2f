import type { Subscription, SubscriptionTarget } from '../../platform/events/events.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';

/** Subscribes the caller to changes. The subscription also wakes when the caller may have lost access. */
export function subscribeCaller(context: Context, target: SubscriptionTarget): Subscription {
  return context.events.subscribe(target, context.signal, principalsOf(context.caller));
}

/**
 * Returns the ids of the principals (key, widget, user or session) on which the caller's access depends. The ids are in
 * the format of the trigger `notify_access`.
 */
export function principalsOf(caller: Caller): readonly string[] {
  switch (caller.type) {
    case 'key':
      return [`key:${caller.keyId}`];
    case 'visitor':
      return [`widget:${caller.projectId}`];
    case 'operator': {
      const user = `user:${caller.userId}`;
      return caller.sessionId === undefined ? [user] : [user, `session:${caller.sessionId}`];
    }
    case 'anonymous':
    case 'service':
      return [];
  }
}
