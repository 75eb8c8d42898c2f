import type { AnswerPart } from '../models.ts';

/**
 * The model writes this marker if the sources do not contain the answer. The filter removes it, so readers never see
 * it. Ordinary text does not contain it.
 */
export const refusalMarker = 'NO_ANSWER_IN_SOURCES';

export interface RefusalFilter {
  push(text: string): AnswerPart[];
  flush(): AnswerPart[];
}

/**
 * Creates a filter that replaces `refusalMarker` with a part of the type `refusal`. Also removes brackets, quotes and
 * emphasis that models put around the marker. Text that may be the start of a marker is buffered until this is certain.
 */
export function createRefusalFilter(): RefusalFilter {
  let buffer = '';
  /** True directly after a marker. There, closing punctuation and white space are removed. */
  let isAfterMarker = false;
  const scan = (isComplete: boolean): AnswerPart[] => {
    const parts: AnswerPart[] = [];
    const takeText = (text: string) => {
      if (text !== '') parts.push({ type: 'text', text });
    };
    for (;;) {
      if (isAfterMarker) buffer = buffer.replace(closing, '');
      isAfterMarker &&= buffer === '';
      const at = buffer.indexOf(refusalMarker);
      if (at === -1) break;
      takeText(buffer.slice(0, at).replace(opening, ''));
      parts.push({ type: 'refusal' });
      buffer = buffer.slice(at + refusalMarker.length);
      isAfterMarker = true;
    }
    const end = isComplete ? buffer.length : undecidedStart(buffer);
    takeText(buffer.slice(0, end));
    buffer = buffer.slice(end);
    return parts;
  };
  return {
    push(text) {
      buffer += text;
      return scan(false);
    },
    flush: () => scan(true),
  };
}

const opening = /[[("'`*_<#]{1,8}$/;
const closing = /^[\s\])"'`*_>:.]+/;

/** Returns the offset at which the text may contain the start of a marker. */
function undecidedStart(text: string): number {
  let length = Math.min(refusalMarker.length - 1, text.length);
  while (length > 0 && !text.endsWith(refusalMarker.slice(0, length))) length -= 1;
  const start = text.length - length;
  const [open = ''] = opening.exec(text.slice(0, start)) ?? [];
  return start - open.length;
}
