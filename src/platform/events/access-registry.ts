import type { AccessListener } from './events.ts';
import { createGradualNotifier } from './notify-gradually.ts';

/** Maps principals to the open streams of this process whose access depends on them. */
export interface AccessRegistry {
  watch(principals: readonly string[], listener: AccessListener): void;
  unwatch(principals: readonly string[], listener: AccessListener): void;
  notify(principal: string): void;
  /** Notifies all listeners within four seconds. Call it when notifications may have been lost. */
  notifyAll(): void;
}

export function createAccessRegistry(): AccessRegistry {
  const listeners = new Map<string, Set<AccessListener>>();
  const notify = (principal: string) => {
    for (const listener of [...(listeners.get(principal) ?? [])]) listener.recheckAccess();
  };
  return {
    watch(principals, listener) {
      for (const principal of principals) {
        listeners.set(principal, (listeners.get(principal) ?? new Set()).add(listener));
      }
    },
    unwatch(principals, listener) {
      for (const principal of principals) {
        const same = listeners.get(principal);
        same?.delete(listener);
        if (same?.size === 0) listeners.delete(principal);
      }
    },
    notify,
    notifyAll: createGradualNotifier(
      () => [...listeners.values()].flatMap((same) => [...same]),
      (listener) => listener.recheckAccess(),
    ),
  };
}
