/**
 * The sentences of a paragraph as offsets, without the white space between them. `Intl.Segmenter` follows
 * Unicode's UAX #29, which knows no abbreviations: what it cuts after `Dr.` or `z. B.` is joined again.
 */
export function sentenceSpans(text: string): { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { index, segment } of segmenter.segment(text.replaceAll('\n', ' '))) {
    const content = segment.trim();
    if (content === '') {
      continue;
    }
    const start = index + segment.indexOf(content);
    const last = spans.at(-1);
    if (last && isOneSentence(text.slice(last.start, last.end), content)) {
      last.end = start + content.length;
    } else {
      spans.push({ start, end: start + content.length });
    }
  }
  return spans;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function isOneSentence(before: string, after: string): boolean {
  const end = before.slice(-24);
  const goesOn = /^[\p{Ll}\p{Nd}]/u.test(after);
  return neverAtEnd.test(end) || (goesOn && rarelyAtEnd.test(end));
}

/** Titles, "for example" in several languages, initials, item numbers, German dates, an open bracket. */
const neverAtEnd =
  /(?:(?:^|[\s("„“])(?:Dr|Mr|Mrs|Ms|Prof|Sr|Sra|Dra|St|vs|cf|e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|bzw|ggf|vgl|т\.\s?е|им|ул|\p{Lu}|[zdu])|^\p{Nd}{1,3}|\b(?:am|vom|zum|bis|den|der|dem|im|seit)\s\p{Nd}{1,2})\.$|[[(]$/u;
/** These end a sentence unless a number or a small letter follows. */
const rarelyAtEnd =
  /(?:^|[\s(])(?:etc|Inc|Ltd|Co|Corp|U\.S|U\.K|No|Nos|Nr|Fig|Sec|Art|Abs|Vol|pp?|approx|ca|inkl|usw|núm|pág|г|гг|стр|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$|["”’»)]$/u;
