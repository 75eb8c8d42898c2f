import type { Source } from '../models/models.ts';
import { createLinkFilter } from './link-filter.ts';
import { createMarkerFilter } from './marker-filter.ts';
import type { TextFilter } from './text-filter.ts';

/**
 * What stands between a model and the reader: text the database takes, addresses that
 * the sources or the question hold, and markers that point to a source. Apply it to every piece of an
 * answer, then `flush`; what comes out, joined, is the answer.
 */
export function createAnswerFilter(ground: {
  readonly sources: readonly Source[];
  readonly question: string;
}): TextFilter {
  const texts = ground.sources.map((source) => `${source.documentName}\n${source.content}`);
  const links = createLinkFilter([...texts, ground.question]);
  const markers = createMarkerFilter(ground.sources.length);
  let half = '';
  const push = (text: string): string => markers.push(links.push(cleanText(text)));
  return {
    push(text) {
      const joined = half + text;
      // A pair of surrogates may come in two pieces.
      half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? '';
      return push(half === '' ? joined : joined.slice(0, -1));
    },
    flush() {
      const rest = push(half);
      half = '';
      return rest + markers.push(links.flush()) + markers.flush();
    },
  };
}

/** Without what Postgres refuses: NUL and lone surrogates. */
function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '');
}
