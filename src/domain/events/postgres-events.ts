import type { Logger } from 'pino';
import { startListening } from '../listen.ts';
import type { Events } from './events.ts';
import { readHint } from './hints.ts';
import { lineEvents } from './line-events.ts';

export interface PostgresEventsSettings {
  readonly connectionString: string;
  readonly log: Logger;
  /** How often it is tried whether notifications arrive. */
  readonly beatMs?: number;
  /** How long a watch waits for a hint before it says that there is none. */
  readonly patienceMs?: number;
}

/**
 * Hints by LISTEN and NOTIFY, over one connection of its own for the whole node. When it was interrupted, whatever is
 * watched is looked at. Rejects when the first connection cannot be made.
 */
export function startPostgresEvents({
  connectionString,
  log,
  beatMs,
  patienceMs = 30_000,
}: PostgresEventsSettings): Promise<Events> {
  return lineEvents(patienceMs, (watches) =>
    startListening({
      connectionString,
      name: 'grounded-chat events',
      channel: 'grounded_events',
      log,
      beatMs,
      onListening: () => watches.tellAll(),
      onNotification(payload) {
        const hint = readHint(asJson(payload));
        if (hint !== null && hint.topic !== 'beat') watches.tell(hint);
      },
    }),
  );
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
