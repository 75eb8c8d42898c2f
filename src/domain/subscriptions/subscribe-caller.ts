import type { Subscription, SubscriptionTarget } from '../../platform/events/events.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';

/** Subscribes the caller. The subscription also wakes when the caller may have lost access. */
export function subscribeCaller(context: Context, target: SubscriptionTarget): Subscription {
  return context.events.subscribe(target, context.signal, principalsOf(context.caller));
}

/** Returns the principals whose loss of access affects the caller, as the trigger `notify_access` names them. */
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
