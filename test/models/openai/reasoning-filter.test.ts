import { describe, expect, it } from 'vitest';
import {
  ReasoningFilter,
  type ReasoningStyle,
} from '../../../src/models/openai/reasoning-filter.ts';

/** Returns the answer without its reasoning. The filter receives the text in parts of `size` characters. */
function read(text: string, size = text.length, style: ReasoningStyle = { isUnopened: null }) {
  const filter = new ReasoningFilter(style);
  const parts = text.match(new RegExp(`[^]{1,${Math.max(1, size)}}`, 'g')) ?? [];
  const shown = parts.map((part) => filter.push(part)).join('') + filter.flush();
  return { shown, isReasoningShown: filter.isReasoningShown };
}

const answer = 'Two years [1].';

describe('the reasoning of a model', () => {
  it.each([
    ['think', `<think>Hm, <b>x</b></think>\n\n${answer}`],
    ['thinking', `\n<thinking>Hm</thinking>${answer}`],
    ['reasoning', `<reasoning>Hm</reasoning>\n${answer}`],
    ['thought, in capitals', `<Thought>Hm</THOUGHT>\n${answer}`],
    ['[THINK]', `[THINK]Hm[/THINK]${answer}`],
    ['two blocks', `<think>Hm</think>\n<think>Hm</think>\n${answer}`],
    ['an empty block', `<think>\n\n</think>\n\n${answer}`],
    ['no opening tag', `Okay, the user asks.\nLet me see.\n</think>\n\n${answer}`],
    ['no opening tag in Chinese', `嗯，用户想知道。</think>${answer}`],
    [
      'harmony channels',
      `<|channel|>analysis<|message|>We need a < b.<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
    ],
    [
      'harmony channels with a role and a commentary',
      `<|start|>assistant<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>commentary to=f<|message|>{}<|call|><|start|>assistant<|channel|>final <|message|>${answer}`,
    ],
    ['harmony without its special tokens', `analysisWe need to quote.assistantfinal${answer}`],
  ])('is removed: %s', (_, text) => {
    for (let size = 1; size <= text.length; size += size < 12 ? 1 : 7) {
      expect(read(text, size).shown).toBe(answer);
    }
  });

  it.each([
    'a <think> b </think> c',
    '<thi',
    '<b>Two</b> years',
    'Okay, it lasts two years [1].',
    'Analysis takes two years [1].',
    '<|start of a table|>',
    'a <|channel|>final<|message|> b',
  ])('is not suspected in %s', (text) => {
    for (const size of [1, 3, text.length]) {
      expect(read(text, size, { isUnopened: false }).shown).toBe(text);
    }
  });

  it('is not delayed text for an ordinary answer', () => {
    const filter = new ReasoningFilter();
    expect(filter.push('Two ')).toBe('Two ');
    expect(filter.push('years')).toBe('years');
  });

  it('is reported if it was shown before its closing tag, and removed from the next answer', () => {
    const style: ReasoningStyle = { isUnopened: null };
    const text = `Warranty question. Source 1 has it.</think>${answer}`;
    expect(read(text, 5, style).isReasoningShown).toBe(true);
    expect(read(text, 5, style)).toEqual({ shown: answer, isReasoningShown: false });
  });

  it('is taken for text if the model has completed an answer without it', () => {
    const style: ReasoningStyle = { isUnopened: null };
    read(answer, 3, style);
    const text = 'End the block with </think>.';
    expect(read(text, 4, style)).toEqual({ shown: text, isReasoningShown: false });
  });

  it('takes linear time, whatever the model writes', () => {
    // If the time grew quadratically, this would exceed the time limit of the test.
    for (const text of ['<think>', 'Okay, ', '<|channel|>', '<|channel|>final<|message|>']) {
      read(text + '<'.repeat(300_000), 3);
      read(`${text}${'</thin'.repeat(100_000)}`, 7);
    }
  });
});
