import type { TextFilter } from '../text/text-filter.ts';

/**
 * Creates a filter that removes a `<think>…</think>` block at the start. Local servers send one before the answers of
 * reasoning models. Later in an answer, the tag is kept as text.
 */
export function createReasoningFilter(): TextFilter {
  let phase: 'start' | 'reasoning' | 'gap' | 'answer' = 'start';
  let buffer = '';
  return {
    push(text) {
      buffer += text;
      if (phase === 'start') {
        const begin = buffer.trimStart();
        if (openTag.startsWith(begin)) return '';
        phase = begin.startsWith(openTag) ? 'reasoning' : 'answer';
      }
      if (phase === 'reasoning') {
        const end = buffer.indexOf(closeTag);
        if (end === -1) {
          buffer = buffer.slice(-closeTag.length);
          return '';
        }
        buffer = buffer.slice(end + closeTag.length);
        phase = 'gap';
      }
      if (phase === 'gap') {
        buffer = buffer.trimStart();
        if (buffer === '') return '';
        phase = 'answer';
      }
      const certain = buffer;
      buffer = '';
      return certain;
    },
    flush: () => (phase === 'start' ? buffer : ''),
  };
}

const openTag = '<think>';
const closeTag = '</think>';
