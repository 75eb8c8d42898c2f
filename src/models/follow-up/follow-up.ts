import { areAllKnown, contentTerms } from '../../text/terms.ts';
import { fold } from '../../text/tokenize.ts';
import type { HistoryMessage, RewriteRequest } from '../models.ts';

/**
 * Whether a question depends on the conversation. It does if it has at most one content word or starts like a
 * continuation ("what about"). It also does if it is short and contains a pronoun or starts with "and".
 */
export function isFollowUp(question: string): boolean {
  const words = new Set(contentTerms(question)).size;
  if (words <= 1 || continuesQuestion(question)) return true;
  if (refersBack(question)) return words <= maxWordsWithPronoun;
  return conjunctionPattern.test(question) && words < minStandaloneWords;
}

/**
 * Whether a question needs the words of the previous question: "what about …", "and if …", or "and for senior managers?"
 * without a verb.
 */
export function continuesQuestion(question: string): boolean {
  return continuationPattern.test(question) || ellipsisPattern.test(question);
}

/**
 * Maximum number of content words of a follow-up with a pronoun. In a longer question, the pronoun usually refers to a
 * word of the question itself.
 */
const maxWordsWithPronoun = 4;
/**
 * A question that starts with "and" and has at least this many content words can be understood without the
 * conversation.
 */
const minStandaloneWords = 3;

/**
 * Returns the content words of a follow-up. Leaves out words such as "afterwards" and "more", which only continue the
 * conversation.
 */
export function ownTerms(question: string): string[] {
  return [...new Set(contentTerms(question))].filter((term) => !continuingTerms.has(term));
}

const continuingTerms = new Set(
  contentTerms(
    // German "die" is also an English word.
    'die afterwards later before now more else further details detail example otherwise mean ' +
      'danach nachher später mehr sonst genauer après ensuite plus détails después luego más detalles ' +
      'dopo più poi daarna later meer anders depois mais detalhes',
  ),
);

/**
 * Whether a question contains a pronoun that can refer to an earlier message, or names nothing but an attribute, such as
 * "And the fee?" and "What is the most I would have to pay?".
 */
export function refersBack(question: string): boolean {
  return pronoun.test(question) || namesOnlyAttributes(question);
}

function namesOnlyAttributes(question: string): boolean {
  return areAllKnown(contentTerms(question), attributeTerms);
}

/** Words for attributes, such as the price. People ask for an attribute without naming the subject again. */
const attributeTerms: ReadonlySet<string> = new Set(
  contentTerms(
    'fee fees price prices cost costs pay charge most least maximum minimum deadline limit deposit discount reduction ' +
      'cheaper expensive long late early soon much many month monthly week weekly day daily night year yearly person ' +
      'exactly total extra high hoch get know s die Gebühr Gebühren Preis Preise Kosten kostet zahlen bezahlen Frist Kaution Rabatt ' +
      'Ermäßigung höchstens mindestens teuer billiger lange spätestens Monat Woche Tag Nacht Jahr Person prix coût coûte ' +
      'tarif frais payer délai caution remise réduction durée cher temps mois semaine jour nuit an année personne',
  ),
);

const conjunctionPattern =
  /^\s*(?:and|but|so|or|also|then|und|aber|oder|y|pero|et|mais|e|ma|maar|en|mas|а|и|но|那|那么|それで|では)(?![\p{L}\p{M}])/iu;
const continuationPattern =
  /^\s*(?:(?:and|but|so|or|und|aber|y|pero|et|mais|e|en|maar|mas) )?(?:what about|how about|what if|was ist mit|wie ist es mit|qué pasa con|qu'en est-il|et pour|che ne dici di|e per|en voor|e para)(?![\p{L}\p{M}])|^\s*(?:(?:and|but|so) if|(?:und|aber) (?:wenn|falls)|et si|y si)(?!\p{L})/iu;
const ellipsisPattern =
  /^\s*(?:and|und|et|y|e|en) (?:for|with|in|at|on|of|from|to|für|mit|bei|in|auf|aus|pour|avec|para|con|per|voor|met) (?!.*(?<![\p{L}\p{M}])(?:what|which|who|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|must|may|has|have|was|wer|wann|wo|wie|ist|sind|kann|muss|hat|est|sont|es|son|è|sono)(?![\p{L}\p{M}]))/iu;
const pronoun =
  /(?<![\p{L}\p{M}])(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|hers|there|one|ones|same|both|either|else|er|sie|ihn|ihm|ihr|ihre|dies|diese|dieser|dieses|das(?=[\s?.!]*$)|dort|dafür|davon|esto|eso|ese|esa|él|ella|ellos|ellas|allí|il|elle|ils|elles|cela|ça|celui|celle|он|она|оно|они|его|её|их|это|этот|эта|там)(?![\p{L}\p{M}])|它|他们|她|这个|那个|それ|これ/iu;

/**
 * If a question refers to an item of a list in the previous answer, such as "explain the second one", returns this
 * item. Returns null otherwise.
 */
export function referencedItem({ history, question }: RewriteRequest): string | null {
  const items = listedItems(previousAnswer(history)?.content ?? '');
  if (items.length < 2) return null;
  const words = fold(question).match(/[\p{L}\p{N}]+/gu) ?? [];
  const at = words.findIndex((word, index) => positionOf(word, words[index - 1]) !== null);
  if (at === -1) return null;
  const rest = words.filter((word, index) => index !== at && !itemNouns.has(word));
  if (contentTerms(rest.join(' ')).length > maxOtherTerms) return null;
  return items.at(positionOf(words[at] ?? '', words[at - 1]) ?? items.length) ?? null;
}

const maxOtherTerms = 1;

/**
 * Returns the index that an ordinal ("third", "3rd") or a number after a noun ("option 3") means, from 0. Returns -1
 * for "last", and null for other words.
 */
function positionOf(word: string, before: string | undefined): number | null {
  const numbered = /^(\p{N})(?:st|nd|rd|th|e|er|re|eme|o|a)?$/u.exec(word);
  if (numbered?.[1] !== undefined && (numbered[0].length > 1 || itemNouns.has(before ?? ''))) {
    return Number(numbered[1]) - 1;
  }
  return ordinals.get(word) ?? null;
}

const itemNouns = new Set(
  fold(
    'one option point step item number thing part choice way mean die der das bedeutet erkläre explique significa betekent option punkt schritt nummer möglichkeit ' +
      'opción punto paso número étape numéro opzione passo optie stap nummer punt opção passo',
  ).split(' '),
);

const ordinals: ReadonlyMap<string, number> = new Map(
  [
    'first erste ersten erster erstes premier première primero primera primo prima eerste primeiro primeira',
    'second zweite zweiten zweiter zweites deuxième segundo segunda secondo seconda tweede',
    'third dritte dritten dritter drittes troisième tercero tercera terzo terza derde terceiro terceira',
    'fourth vierte vierten vierter viertes quatrième cuarto cuarta quarto quarta vierde',
    'fifth fünfte fünften fünfter fünftes cinquième quinto quinta vijfde',
    'last letzte letzten letzter letztes dernier dernière último última ultimo ultima laatste',
  ].flatMap((words, index) =>
    fold(words)
      .split(' ')
      .map((word): [string, number] => [word, index === 5 ? -1 : index]),
  ),
);

/**
 * Returns the items of the first list in an answer. The items are lines with bullets, or parts separated by semicolons.
 */
function listedItems(answer: string): string[] {
  const text = withoutMarkers(answer);
  const lines = text.split('\n').filter((line) => bullet.test(line));
  if (lines.length >= 2) return lines.map(withoutBullet);
  const [sentence = ''] = answer.split(/\[\d{1,3}\]/).filter((part) => part.includes('; '));
  const parts = sentence.replace(/^[^;:]{1,200}:\s(?=[^;]{1,200};)/u, '').split('; ');
  const isRow = sentence.split('; ').every((part) => /^[^:]{1,80}: /.test(part.trim()));
  return isRow ? [] : parts.map(withoutBullet);
}

const bullet = /^\s*(?:[-*+•]|\p{Nd}{1,2}[.)])\s/u;

function withoutBullet(line: string): string {
  return line
    .replace(bullet, '')
    .replace(/(?<![\s.;])[\s.;]+$/u, '')
    .trim();
}

/** Whether a question asks only for a reason: "why?", "and why not?". */
export function asksWhy(question: string): boolean {
  return whyPattern.test(question) && contentTerms(question).length === 0;
}

const whyPattern =
  /(?<![\p{L}\p{M}])(?:why|warum|wieso|weshalb|pourquoi|por qué|por que|perché|perche|waarom|porquê)(?![\p{L}\p{M}])/iu;

/** Returns an answer on one line, without its citation markers. */
export function withoutMarkers(answer: string): string {
  return answer.replace(/ ?\[\d{1,3}\]/g, '').trim();
}

/** Returns the last answer of the assistant. */
export function previousAnswer(history: readonly HistoryMessage[]): HistoryMessage | undefined {
  return history.findLast(({ role }) => role === 'ASSISTANT');
}
