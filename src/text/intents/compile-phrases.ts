import { type Intent, intents } from './intent.ts';
import type { Phrases } from './phrases/phrases.ts';

/** The phrases of one language, prepared for matching. */
export interface CompiledPhrases {
  /** All words of the phrases. If a message contains any other word, it is not small talk. */
  readonly words: ReadonlySet<string>;
  readonly patterns: readonly PhrasePattern[];
}

interface PhrasePattern {
  /** Null if the pattern is a filler word. */
  readonly intent: Intent | null;
  /** All words of the pattern. Every match starts with one of them. */
  readonly words: ReadonlySet<string>;
  /**
   * Sticky regular expression. In the text, a space follows each word. The expression is compiled when it is first
   * used, because most patterns are rarely used.
   */
  readonly expression: () => RegExp;
}

export function compilePhrases(phrases: Phrases): CompiledPhrases {
  const templates = [...intents, 'filler' as const].flatMap((kind) =>
    kind === 'GIBBERISH' ? [] : phrases[kind].map((template) => ({ kind, template })),
  );
  return {
    words: new Set(templates.flatMap(({ template }) => wordsOf(template))),
    patterns: templates.map(({ kind, template }) => ({
      intent: kind === 'filler' ? null : kind,
      words: new Set(wordsOf(template)),
      expression: compiledOnce(template),
    })),
  };
}

function wordsOf(template: string): readonly string[] {
  return template.match(/[a-z0-9]+/g) ?? [];
}

function compiledOnce(template: string): () => RegExp {
  let expression: RegExp | null = null;
  return () => {
    expression ??= new RegExp(expressionOf(template), 'y');
    return expression;
  };
}

const expressionParts: Readonly<Record<string, string>> = { '[': '(?:', ']': ')?', '(': '(?:' };

function expressionOf(template: string): string {
  const longestFirst = template.replace(/(?<=[[(])[^()[\]]*(?=[\])])/g, sortChoices);
  const tokens = longestFirst.match(/[a-z0-9]+|[[\]()|]/g) ?? [];
  return tokens
    .map((token) => (/^[a-z0-9]/.test(token) ? `${token} ` : (expressionParts[token] ?? token)))
    .join('');
}

/**
 * Sorts the choices of a group by length, longest first, because a regular expression takes the first choice that
 * matches.
 */
function sortChoices(group: string): string {
  const wordCount = (choice: string) => choice.trim().split(/\s+/).length;
  return group
    .split('|')
    .sort((a, b) => wordCount(b) - wordCount(a))
    .join('|');
}

/**
 * Finds phrases that together cover all words, and returns their intents. Returns null if there are no such phrases.
 * Prefers long phrases. Tries each pattern at most once per word.
 */
export function coverWords(
  words: readonly string[],
  { patterns }: CompiledPhrases,
): ReadonlySet<Intent> | null {
  const text = words.map((word) => `${word} `).join('');
  const covers = new Map<number, Cover>([[0, { cost: 0, intents: new Set() }]]);
  for (let start = 0; start < text.length; start = text.indexOf(' ', start) + 1) {
    const cover = covers.get(start);
    if (cover === undefined) continue;
    const word = text.slice(start, text.indexOf(' ', start));
    for (const pattern of patterns) {
      if (!pattern.words.has(word)) continue;
      const { intent } = pattern;
      const expression = pattern.expression();
      expression.lastIndex = start;
      if (!expression.test(text)) continue;
      const end = expression.lastIndex;
      const cost = cover.cost + (intent === null ? fillerCost : phraseCost);
      if (end === start || cost >= (covers.get(end)?.cost ?? Number.POSITIVE_INFINITY)) continue;
      const found = intent === null ? cover.intents : new Set([...cover.intents, intent]);
      covers.set(end, { cost, intents: found });
    }
  }
  return covers.get(text.length)?.intents ?? null;
}

/**
 * Costs of a cover. The cover with the lowest cost is used: it has few phrases, and does not split a long phrase into a
 * shorter phrase and filler words.
 */
const phraseCost = 10;
const fillerCost = 1;

interface Cover {
  readonly cost: number;
  readonly intents: ReadonlySet<Intent>;
}
