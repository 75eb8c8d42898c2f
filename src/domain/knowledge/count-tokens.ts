/**
 * About how many tokens a language model sees in a text, without its vocabulary: a word of a language written with
 * Latin letters counts one and another for every six letters above the first six, other alphabets one per three letters,
 * Chinese, Japanese and Korean one per character, punctuation one each.
 */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const { 0: match } of text.matchAll(PIECES)) {
    const first = match.charCodeAt(0);
    if (first < 0x250) tokens += Math.ceil(match.length / 6);
    else if (first < 0x2e80) tokens += Math.ceil(match.length / 3);
    else tokens += match.length;
  }
  return tokens;
}

const PIECES = /\p{L}[\p{L}\p{M}]*|\p{N}{1,3}|[^\s\p{L}\p{N}]/gu;
