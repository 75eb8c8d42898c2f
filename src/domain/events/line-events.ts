import type { KeptLine } from '../keep-line.ts';
import type { Events } from './events.ts';
import { createWatches, type Watches } from './watches.ts';

/** Events whose hints are heard by the line that `keep` keeps. `patienceMs`: how long a watch waits for one. */
export async function lineEvents(
  patienceMs: number,
  keep: (watches: Watches) => Promise<KeptLine>,
): Promise<Events> {
  const watches = createWatches({ patienceMs });
  const line = await keep(watches);
  return {
    watch: watches.open,
    get watchCount() {
      return watches.count;
    },
    async stop() {
      watches.end();
      await line.stop();
    },
  };
}
