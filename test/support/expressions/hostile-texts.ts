import { type Part, parseExpression } from './parse-expression.ts';

/** Returns a text of about `length` characters. */
export type HostileText = (length: number) => string;

/**
 * Returns texts for which a backtracking engine may need much time: what comes before a repetition, a run of what it
 * repeats, and text that does not match. Some start with a mismatch, because `^\s+` of `^\s+|\s+$` matches a run at
 * the beginning.
 */
export function hostileTexts(source: string, flags: string): HostileText[] {
  const tree = parseExpression(source);
  const sampler = createSampler(source, flags);
  const wholes = [0, 1, 2].map((choice) => sampler.sample(tree, choice));
  const repetitions = repetitionsOf(tree, [], []);
  // Without a repetition, a search takes constant time at each position, so there are no hostile texts.
  if (repetitions.length === 0) return [];
  const attacks = new Map<string, Attack>();
  const attack = (start: string, part: string, ends = commonEnds) => {
    if (part === '') return;
    const key = `${start}\n${part}`;
    const known = attacks.get(key)?.ends ?? [];
    attacks.set(key, { start, part, ends: [...new Set([...known, ...ends])] });
  };
  for (const part of ['a', ' ', '\n', '1', 'a ', 'a1', '\t\n']) attack('', part);
  for (const whole of wholes) {
    attack('', whole);
    attack('', whole.slice(0, -1));
  }
  for (const { before, part, after } of repetitions) {
    const starts = new Set(
      [0, 1, 2].map((choice) => before.map((one) => sampler.sample(one, choice)).join('')),
    );
    const parts = sampler.samples(part);
    const mismatch = sampler.mismatchOf(part);
    const end = after.map((one) => sampler.sample(one, 0)).join('');
    const ends = [...commonEnds, mismatch, end, end + mismatch];
    for (const one of new Set([...parts, `${parts[0]}${parts.at(-1)}`])) {
      attack('', one, ends);
      attack(mismatch, one, ends);
      attack('', one + mismatch);
      for (const start of starts) {
        attack(start, one, ends);
        attack(mismatch + start, one, ends);
        attack('', start + one, ends);
      }
    }
    for (const start of starts) attack('', start);
  }
  return [...attacks.values()].flatMap(({ start, part, ends }) =>
    ends.map(
      (end) => (length: number) =>
        start + part.repeat(Math.ceil(length / part.length)).slice(0, length) + end,
    ),
  );
}

interface Attack {
  readonly start: string;
  readonly part: string;
  readonly ends: readonly string[];
}

const commonEnds = ['', '\u0000', '\n\u0000', ' \u0000\u0000'];

interface Repetition {
  readonly before: readonly Part[];
  readonly part: Part;
  /** What follows the repetition in its own alternative. */
  readonly after: readonly Part[];
}

/** If the maximum of a bounded repetition is above this number, the repetition counts as unbounded. */
const longRepetition = 16;

function repetitionsOf(part: Part, before: readonly Part[], after: readonly Part[]): Repetition[] {
  if (part.type === 'choice') {
    return part.options.flatMap((option) =>
      option.flatMap((one, index) =>
        repetitionsOf(one, [...before, ...option.slice(0, index)], option.slice(index + 1)),
      ),
    );
  }
  if (part.type === 'without') return repetitionsOf(part.part, before, after);
  if (part.type !== 'repeat') return [];
  const own = part.max > longRepetition ? [{ before, part: part.part, after }] : [];
  return [...own, ...repetitionsOf(part.part, before, after)];
}

/** One or more characters of each kind that character classes distinguish. */
const characters = [...'a1 \n\t.-\\/"\'<>()[]{}|*_`~^$#&%@:;,!?+=AZzß中あе†–“。٣\r\u0000'];

function createSampler(source: string, flags: string) {
  const pool = [...new Set([...characters, ...source.replace(/\\[pPdDsSwWbB]/g, '')])];
  const modes = flags.replace(/[^ius]/g, '');
  const known = new Map<string, readonly string[]>();
  const matching = (one: string): readonly string[] => {
    const found = known.get(one) ?? pool.filter((text) => new RegExp(`^${one}$`, modes).test(text));
    known.set(one, found);
    return found;
  };
  /** Returns a text that the part matches. `choice` selects among alternatives and characters. */
  const sample = (part: Part, choice: number): string => {
    if (part.type === 'empty' || part.type === 'without') return '';
    if (part.type === 'character') {
      const texts = matching(part.source);
      return texts[choice % Math.max(1, texts.length)] ?? '';
    }
    if (part.type === 'choice') {
      const option = part.options[choice % part.options.length] ?? [];
      return option.map((one) => sample(one, choice)).join('');
    }
    const count = Math.max(part.min, choice === 0 ? 0 : 1);
    return sample(part.part, choice).repeat(Math.min(count, part.max));
  };
  /** Returns several different texts that the part matches. */
  const samples = (part: Part): readonly string[] => {
    if (part.type === 'character') return spread(matching(part.source), 10);
    const options = part.type === 'choice' ? part.options.length : 1;
    const choices = Array.from({ length: Math.min(12, options + 4) }, (_, choice) => choice);
    return [...new Set(choices.map((choice) => sample(part, choice)))];
  };
  /** Returns a character that no character of the part matches, or else one that the fewest match. */
  const mismatchOf = (part: Part): string => {
    const classes = charactersOf(part).map((source) => new Set(matching(source)));
    const count = (text: string) => classes.filter((texts) => texts.has(text)).length;
    return pool.reduce((best, one) => (count(one) < count(best) ? one : best), '\u0000');
  };
  return { sample, samples, mismatchOf };
}

function charactersOf(part: Part): readonly string[] {
  if (part.type === 'character') return [part.source];
  if (part.type === 'choice') return part.options.flat().flatMap(charactersOf);
  return part.type === 'repeat' || part.type === 'without' ? charactersOf(part.part) : [];
}

/** Returns at most `count` items, spread evenly over the list. */
function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, items.length / count);
  const positions = Array.from({ length: Math.min(count, items.length) }, (_, n) => n);
  return positions.flatMap((n) => items[Math.floor(n * step)] ?? []);
}
