import type { TextFilter } from '../../text/text-filter.ts';

/**
 * Tokens with which an answer starts in the harmony format of gpt-oss. Some servers forward this format without parsing
 * it.
 */
export const harmonyStarts: readonly string[] = ['<|channel|>', '<|start|>'];

const messageToken = '<|message|>';
const endTokens = ['<|end|>', '<|return|>', '<|call|>', ...harmonyStarts];
const maxTokenLength = 11;
/**
 * Maximum length of a message header. A header contains the role, the channel and the recipient of a message. If it is
 * longer, its start is cut off.
 */
const maxHeaderLength = 400;

/**
 * Creates a filter that returns the text of the channel `final` and removes other channels, such as `analysis`. See
 * https://cookbook.openai.com/articles/openai-harmony.
 */
export function createHarmonyFilter(): TextFilter {
  let buffer = '';
  let isInHeader = true;
  let isFinal = false;
  const readHeader = (): boolean => {
    const end = buffer.indexOf(messageToken);
    if (end === -1) {
      buffer = buffer.slice(-maxHeaderLength);
      return false;
    }
    isFinal = /<\|channel\|>\s*final\b/.test(buffer.slice(0, end));
    buffer = buffer.slice(end + messageToken.length);
    isInHeader = false;
    return true;
  };
  const scan = (isComplete: boolean): string => {
    let shown = '';
    while (!isInHeader || readHeader()) {
      const ends = endTokens.map((token) => buffer.indexOf(token)).filter((at) => at !== -1);
      const isOver = ends.length > 0;
      const length = isOver
        ? Math.min(...ends)
        : isComplete
          ? buffer.length
          : certainLength(buffer);
      if (isFinal) shown += buffer.slice(0, length);
      buffer = buffer.slice(length);
      if (!isOver) break;
      isInHeader = true;
    }
    return shown;
  };
  return {
    push(text) {
      buffer += text;
      return scan(false);
    },
    flush: () => scan(true),
  };
}

/** Returns the length of the text before a place at which a token may start. */
function certainLength(text: string): number {
  const at = text.lastIndexOf('<');
  return at === -1 || text.length - at > maxTokenLength ? text.length : at;
}
