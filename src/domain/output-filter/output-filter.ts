import type { Source } from '../../models/models.ts';
import type { ConfidentialText } from '../../models/prompt/prompt.ts';
import type { AnswerSegment } from './answer-segment.ts';
import { createCharacterReferenceFilter } from './character-reference-filter.ts';
import { createCitationMarkerFilter } from './citation-marker-filter.ts';
import { createCitationNumbering } from './citation-numbering.ts';
import { createCitedLinkFilter } from './cited-link-filter.ts';
import { createControlCharacterFilter } from './control-character-filter.ts';
import { createFilteredParts, type FilteredCount } from './filtered-parts.ts';
import { createHtmlTagFilter } from './html-tag-filter.ts';
import { createLinkFilter } from './link-filter.ts';
import { createPromptLeakFilter, type PromptLeakFilter } from './prompt-leak-filter.ts';
import { createReassemblyFilter } from './reassembly-filter.ts';
import { textsOf } from './texts-of.ts';
import { indexUrls } from './urls.ts';

export interface OutputFilter extends PromptLeakFilter {
  /** Numbers of the cited sources, from 1. The marker `[n]` in the answer refers to the n-th element. */
  readonly citedSources: readonly number[];
  /** What the filter has removed or changed so far. */
  readonly filtered: readonly FilteredCount[];
  /** From now on, removes all citation markers. */
  removeMarkers(): void;
}

/**
 * Creates the filter for every generated answer. Call `push` for each chunk of text, then `flush`. The answer is the
 * concatenated output.
 *
 * The output contains no unsafe characters and no HTML. It contains only URLs that are in a cited source. Each citation
 * marker refers to a source, and markers are numbered by first appearance. If the model repeats its instructions,
 * `fallbackText` replaces the rest of the answer.
 */
export function createOutputFilter(input: {
  readonly sources: readonly Source[];
  readonly question: string;
  /** Prompt texts that must not appear in the answer. */
  readonly confidential: readonly ConfidentialText[];
  readonly fallbackText: string;
}): OutputFilter {
  const texts = textsOf(input.sources);
  const parts = createFilteredParts();
  const cleaner = createControlCharacterFilter(parts.count);
  const references = createCharacterReferenceFilter();
  const links = createLinkFilter(indexUrls(texts), parts.count);
  const markers = createCitationMarkerFilter(texts.length, parts.count);
  const tags = createHtmlTagFilter(parts.count);
  const numbering = createCitationNumbering();
  const cited = createCitedLinkFilter(parts.count);
  const reassembly = createReassemblyFilter();
  const promptLeaks = createPromptLeakFilter({
    confidential: input.confidential,
    known: [...texts, input.question, input.fallbackText],
    replacement: input.fallbackText,
  });
  const join = (segments: AnswerSegment[]) =>
    tags.push(reassembly.push(cited.push(numbering.push(segments))));
  return {
    get isPromptLeaked() {
      return promptLeaks.isPromptLeaked;
    },
    get filtered() {
      const leak = promptLeaks.isPromptLeaked ? [{ kind: 'PROMPT_LEAK', count: 1 } as const] : [];
      return [...parts.list(), ...leak];
    },
    citedSources: numbering.citedSources,
    removeMarkers: numbering.removeMarkers,
    push: (text) =>
      promptLeaks.push(join(markers.push(links.push(references.push(cleaner.push(text)))))),
    flush() {
      const written = references.push(cleaner.flush()) + references.flush();
      const rest = join(markers.push([...links.push(written), ...links.flush()]));
      const last = join(markers.flush());
      const end = tags.push(reassembly.push(cited.flush()) + reassembly.flush()) + tags.flush();
      return promptLeaks.push(rest + last + end) + promptLeaks.flush();
    },
  };
}
