import { describe, expect, it } from 'vitest';
import { confusableSkeleton } from '../../../src/domain/output-filter/confusables.ts';
import { createOutputFilter } from '../../../src/domain/output-filter/output-filter.ts';
import { createPromptLeakFilter } from '../../../src/domain/output-filter/prompt-leak-filter.ts';
import { buildAnswerPrompt, confidentialTexts } from '../../../src/models/prompt/prompt.ts';

const instructions = `You are Luna, the assistant of Harbour Tours. Never mention the rival company Elbe Cruises to customers.
Of the partner code SUNSET it is known that it halves every price, do not give it away. When somebody is angry, say
"We are very sorry for that, and a colleague of ours will call you back within the next hour." and nothing else.`;
const secret = 'Never mention the rival company Elbe Cruises to customers.';
const fallbackText = 'I do not know.';
const source = {
  documentName: 'a.md',
  context: '',
  content:
    'Our house rules: a guest must never feed the gulls that sit on the railing of the ship.',
};

function answered(
  pieces: readonly string[],
  { text = instructions, question = 'How?' }: { text?: string | null; question?: string } = {},
) {
  const filter = createOutputFilter({
    sources: [source],
    question,
    confidential: confidentialTexts(text),
    fallbackText,
  });
  const shown = pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
  return { shown, isDisclosed: filter.isPromptLeaked };
}

const [system] = buildAnswerPrompt(
  { history: [], question: '', instructions, sources: [] },
  { boundary: '0123456789abcdef' },
);

describe('an answer that repeats its instructions', () => {
  const spellings: readonly (readonly [title: string, written: string])[] = [
    ['as they are', secret],
    ['in capitals', secret.toUpperCase()],
    [
      'in bold letters of mathematics',
      secret.replace(/[a-z]/g, (letter) =>
        String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97),
      ),
    ],
    [
      'in full-width letters',
      secret.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    ],
    ['with accents', secret.replaceAll('e', 'é').replaceAll('o', 'o\u0308')],
    [
      'in letters of other scripts',
      secret.replaceAll('e', 'е').replaceAll('o', 'ο').replaceAll('a', 'а'),
    ],
    ['with invisible signs', [...secret].join('\u200b')],
    ['letter by letter', [...secret].join(' - ')],
    ['a letter a line', [...secret].join('\n')],
    ['without spaces', secret.replaceAll(' ', '')],
    ['as a list', secret.replaceAll(' ', '\n* ')],
    ['in Markdown', secret.replace(/\w+/g, '**$&**')],
    ['in code', `\`\`\`\n${secret}\n\`\`\``],
    ['with markers between', secret.replaceAll(' ', ' [1] ')],
    ['with markers that are removed', secret.replaceAll(' ', ' [9] ')],
    [
      'with numbers',
      secret
        .split(' ')
        .map((word, index) => `${index + 1}. ${word}`)
        .join(' '),
    ],
    ['from the middle of a word', secret.slice(9)],
    ['in quotation marks', `“${secret}”`],
  ];

  it.each(spellings)('ends before them: %s', (_, written) => {
    const before = 'Sure, here is what I know: ';
    for (const pieces of [[before + written], [...before, ...written]]) {
      const { shown, isDisclosed } = answered(pieces);
      expect(isDisclosed).toBe(true);
      expect(shown).toMatch(/^Sure, here is what I know:[\W\d]*I do not know\.$/);
    }
  });

  it('contains no run of them, whichever part of the prompt it repeats', () => {
    const prompt = system?.content ?? '';
    const runs = Array.from(prompt, (_, start) =>
      confusableSkeleton(prompt.slice(start, start + 60)),
    );
    const sayable = confusableSkeleton(instructions.replace(/^[^"]*"|"[^"]*$/gs, ''));
    // The boundary is random text for the prompt of one answer. It is not part of the instructions.
    const hidden = runs
      .map((run) => run.slice(0, 40))
      .filter((run) => run.length === 40 && !sayable.includes(run) && !run.includes('abcdef'));
    expect(hidden.length).toBeGreaterThan(1_000);
    for (let start = 0; start < prompt.length - 400; start += 37) {
      const { shown } = answered(prompt.slice(start, start + 400).match(/.{1,5}/gsu) ?? []);
      expect(shown).toMatch(/I do not know\.$/);
      const letters = confusableSkeleton(shown);
      expect(hidden.filter((run) => letters.includes(run))).toEqual([]);
    }
  });

  it('contains nothing of what follows', () => {
    expect(answered([`${secret} The code`, ' is SUNSET.']).shown).toBe(fallbackText);
  });

  it('contains only whole words before them', () => {
    expect(answered([`Two years [1]. ${secret}`]).shown).toBe(`Two years\n\n${fallbackText}`);
  });

  it('is detected after a third of the characters in Chinese', () => {
    const text = '请不要向顾客提起竞争对手易北游船公司的名字，也不要谈论价格。';
    expect(answered([`好的：${text}`], { text }).shown).toBe(`好的：\n\n${fallbackText}`);
    expect(answered(['不要谈论价格'], { text }).isDisclosed).toBe(false);
  });

  it('is detected after all characters if they are short', () => {
    const text = 'Never mention the Elbe merger.';
    expect(answered([`My orders: ${text}`], { text }).shown).toBe(`My orders: \n\n${fallbackText}`);
    expect(answered(['We never mention the weather.'], { text }).isDisclosed).toBe(false);
  });
});

describe('an answer may contain', () => {
  it.each([
    ['some words of them', 'We never mention the rival company, and halve every price [1].'],
    ['that it does not know', 'The sources do not hold the answer, so I do not know.'],
    [
      'what stands in quotation marks there',
      'We are very sorry for that, and a colleague of ours will call you back within the next hour.',
    ],
    ['what a source says as well', source.content],
    [
      'another text of any length',
      'The quick brown fox jumps over the lazy dog. '.repeat(200).trim(),
    ],
    ['numbers and signs of any length', '| --- | 1 | '.repeat(300).trim()],
  ])('%s', (_, written) => {
    const text = `${instructions}\nA guest must never feed the gulls that sit on the railing of the ship.`;
    expect(answered([written], { text })).toEqual({ shown: written, isDisclosed: false });
    expect(answered([...written], { text })).toEqual({ shown: written, isDisclosed: false });
  });

  it('the words of the question', () => {
    expect(answered([secret], { question: `Did you say "${secret}"?` }).isDisclosed).toBe(false);
  });
});

describe('the prompt leak filter', () => {
  it('delays at most a few characters of ordinary text', () => {
    const filter = createPromptLeakFilter({
      confidential: [{ parts: [instructions, system?.content ?? ''], shownLetters: 0 }],
      known: [],
      replacement: '-',
    });
    const text =
      'Refunds for the tour are paid within 14 days, to the card that was used for them. '.repeat(
        20,
      );
    let shown = 0;
    let held = 0;
    for (const [index, character] of [...text].entries()) {
      shown += filter.push(character).length;
      held += index + 1 - shown;
      expect(index + 1 - shown).toBeLessThanOrEqual(24);
    }
    expect(held / text.length).toBeLessThan(8);
  });

  it('takes linear time on hostile text', () => {
    // If the time grew quadratically, this would exceed the time limit of the test.
    for (const text of ['a'.repeat(80_000), 'ab '.repeat(26_000), instructions.repeat(200)]) {
      const filter = createPromptLeakFilter({
        confidential: [{ parts: [text], shownLetters: 0 }],
        known: [text],
        replacement: '-',
      });
      filter.push(`${text} b `.repeat(3));
      filter.flush();
    }
  });
});
