import type { Source } from '../models/models.ts';
import { addressesIn } from './addresses.ts';
import type { AnswerPiece } from './answer-piece.ts';
import { createCitedLinks } from './cited-links.ts';
import { createTextCleaner } from './clean-text.ts';
import {
  type ConfidentialText,
  createDisclosureFilter,
  type DisclosureFilter,
} from './disclosure-filter.ts';
import { createJoinedLinks } from './joined-links.ts';
import { createLinkFilter } from './link-filter.ts';
import { createMarkerFilter } from './marker-filter.ts';
import { createTagFilter } from './tag-filter.ts';

/**
 * What stands between a model and the reader: text that can be read, addresses that a cited source holds, markers that
 * point to a source, no HTML that does something, and none of the instructions. Apply it to every piece of an answer,
 * then `flush`; what comes out, joined, is the answer. One that repeats its instructions ends with `fallbackText`.
 */
export function createAnswerFilter(ground: {
  readonly sources: readonly Source[];
  readonly question: string;
  /** What the model was told and is not to repeat. */
  readonly confidential: readonly ConfidentialText[];
  readonly fallbackText: string;
}): DisclosureFilter {
  const texts = ground.sources.map((source) => `${source.documentName}\n${source.content}`);
  const cleaner = createTextCleaner();
  const links = createLinkFilter(addressesIn(texts));
  const markers = createMarkerFilter(texts.length);
  const tags = createTagFilter();
  const cited = createCitedLinks();
  const joined = createJoinedLinks();
  const disclosure = createDisclosureFilter({
    confidential: ground.confidential,
    known: [...texts, ground.question, ground.fallbackText],
    replacement: ground.fallbackText,
  });
  const onwards = (pieces: AnswerPiece[]) =>
    joined.push(cited.push(tags.push(markers.push(pieces))));
  return {
    get isDisclosed() {
      return disclosure.isDisclosed;
    },
    push: (text) => disclosure.push(onwards(links.push(cleaner.push(text)))),
    flush() {
      const rest = onwards([...links.push(cleaner.flush()), ...links.flush()]);
      const last = cited.push([...tags.push(markers.flush()), ...tags.flush()]);
      const all = rest + joined.push([...last, ...cited.flush()]) + joined.flush();
      return disclosure.push(all) + disclosure.flush();
    },
  };
}
