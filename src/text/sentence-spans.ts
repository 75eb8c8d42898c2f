/**
 * Returns the offsets of the sentences in a paragraph, without surrounding white space. `Intl.Segmenter` implements
 * Unicode UAX #29, which also splits after abbreviations such as `Dr.` or `z. B.`, so these splits are undone.
 */
export function sentenceSpans(text: string): { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { index, segment } of segmenter.segment(withoutFootnotes(text))) {
    const content = segment.trim();
    if (content === '') {
      continue;
    }
    const start = index + segment.indexOf(content);
    const last = spans.at(-1);
    const isInAddress = last?.end === start && endsInAddress(text, start);
    if (last && (isInAddress || isOneSentence(text.slice(last.start, last.end), content))) {
      last.end = start + content.length;
    } else {
      spans.push({ start, end: start + content.length });
    }
  }
  return spans;
}

/**
 * Replaces footnote numbers with the same number of brackets. UAX #29 allows only brackets and quotes between a full
 * stop and the following space, so it reads "in May.[3] It" as one sentence.
 */
function withoutFootnotes(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replace(/\[\p{Nd}{1,4}\]/gu, (footnote) => ']'.repeat(footnote.length));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Whether a web address contains the position `index`, for example before the query of `https://example.com/form?id=7`.
 */
function endsInAddress(text: string, index: number): boolean {
  const word =
    text
      .slice(Math.max(0, index - maxAddressLength), index)
      .split(/\s/)
      .at(-1) ?? '';
  return addressStartPattern.test(word);
}

/**
 * Maximum number of characters that are searched for the start of an address. Limits the work for each sentence of a
 * long text.
 */
const maxAddressLength = 1_008;
const addressStartPattern = /https?:\/\/./i;

function isOneSentence(before: string, after: string): boolean {
  const end = before.slice(-24);
  const continuesSentence = /^["'“‘(]*[\p{Ll}\p{Nd}+]|^\(/u.test(after);
  return (
    nonTerminalPattern.test(end) ||
    (continuesSentence && ambiguousEndPattern.test(end)) ||
    (countryEndPattern.test(end) && !firstWordPattern.test(after))
  );
}

/**
 * Matches text after which no sentence ends: titles, "for example" in several languages, initials, item numbers, German
 * dates, an open bracket.
 */
const nonTerminalPattern =
  /(?:(?:^|[\s("„“])(?:Dr|Mr|Mrs|Ms|Prof|Sr|Sra|Dra|St|vs|cf|e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|bzw|ggf|vgl|т\.\s?е|им|ул|\p{Lu}|[zdu])|^\p{Nd}{1,3}|\b(?:am|vom|zum|bis|den|der|dem|im|seit)\s\p{Nd}{1,2})\.$|[[(]$/u;
/**
 * Matches an abbreviated country. The sentence ends after it only if a word follows that often starts a sentence. "U.S.
 * District Court" is a name.
 */
const countryEndPattern = /(?:^|[\s(])(?:U\.S\.?A?|U\.K|E\.U|U\.N)\.$/u;
const firstWordPattern =
  /^["'“‘(]*(?:The|This|That|These|Those|It|Its|In|On|At|For|From|As|A|An|We|Our|You|Your|He|She|They|Their|If|When|While|After|Before|However|There|To|By|With|All|Some|Many|Most|No|Not|But|And|Since|During)\b/u;
/** Matches text after which a sentence ends, unless a number or a lower-case letter follows. */
const ambiguousEndPattern =
  /(?:^|[\s(])(?:etc|(?:\p{L}+\.?-)?Nr|Inc|Ltd|Co|Corp|U\.S|U\.K|No|Nos|Nr|Fig|Sec|Art|Abs|Vol|pp?|approx|ca|inkl|usw|núm|pág|г|гг|стр|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Tel|Tél|Fax|Mob|Fon)\.$|["”’»)\]]$/u;
