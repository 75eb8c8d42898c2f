import type { Logger } from 'pino';
import { startPostgresListener } from '../postgres/postgres-listener.ts';
import { createAccessRegistry } from './access-registry.ts';
import { createActivityBoard } from './activity-board.ts';
import { type ChangeNotification, parseNotification } from './change-notification.ts';
import type { EventBus } from './events.ts';
import { createSubscriptionRegistry } from './subscription-registry.ts';

export interface PostgresEventsSettings {
  readonly connectionString: string;
  readonly log: Logger;
  /** Called with every notification. Called with null after a reconnect, because any row may have changed then. */
  readonly onChange?: (change: ChangeNotification | null) => void;
  /** Milliseconds between two heartbeats of the database connection. */
  readonly heartbeatIntervalMs?: number;
  /** Milliseconds after which `next` returns an empty set if there are no changes. */
  readonly maxWaitMs?: number;
}

/**
 * Starts to receive change notifications with Postgres LISTEN. Uses one connection per process. After each reconnect,
 * notifies every subscription that any row may have changed. Rejects if the first connection fails.
 */
export async function startPostgresEvents({
  connectionString,
  log,
  onChange = () => {},
  heartbeatIntervalMs,
  maxWaitMs = 30_000,
}: PostgresEventsSettings): Promise<EventBus> {
  const access = createAccessRegistry();
  const registry = createSubscriptionRegistry({ maxWaitMs, access });
  const activity = createActivityBoard(registry.wakeForActivity);
  const listener = await startPostgresListener({
    connectionString,
    name: 'grounded-chat events',
    channel: 'grounded_events',
    log,
    heartbeatIntervalMs,
    onListening() {
      registry.notifyAll();
      access.notifyAll();
      onChange(null);
    },
    onNotification(payload) {
      const notification = parseNotification(payload);
      if (notification === null) return;
      if (notification.topic === 'access') return access.notify(notification.principal);
      if (notification.topic === 'activity') return activity.apply(notification);
      registry.notify(notification);
      onChange(notification);
    },
  });
  return {
    subscribe: registry.subscribe,
    watchAccess(principals, listener) {
      access.watch(principals, listener);
      return () => access.unwatch(principals, listener);
    },
    activity,
    get subscriptionCount() {
      return registry.count;
    },
    async stop() {
      registry.closeAll();
      activity.clear();
      await listener.stop();
    },
  };
}
