import type { TextFilter } from '../chat/text-filter.ts';

/**
 * Drops a leading `<think>…</think>` block, which local servers put in front of the answers of reasoning
 * models. Only at the very start: later in an answer the word belongs to the answer.
 */
export function withoutReasoning(): TextFilter {
  let place: 'start' | 'reasoning' | 'gap' | 'answer' = 'start';
  let held = '';
  return {
    push(text) {
      held += text;
      if (place === 'start') {
        const begin = held.trimStart();
        if (openTag.startsWith(begin)) return '';
        place = begin.startsWith(openTag) ? 'reasoning' : 'answer';
      }
      if (place === 'reasoning') {
        const end = held.indexOf(closeTag);
        if (end === -1) {
          held = held.slice(-closeTag.length);
          return '';
        }
        held = held.slice(end + closeTag.length);
        place = 'gap';
      }
      if (place === 'gap') {
        held = held.trimStart();
        if (held === '') return '';
        place = 'answer';
      }
      const certain = held;
      held = '';
      return certain;
    },
    flush: () => (place === 'start' ? held : ''),
  };
}

const openTag = '<think>';
const closeTag = '</think>';
