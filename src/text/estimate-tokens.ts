/**
 * Estimates the number of tokens of a text without the model's vocabulary. Latin words count one token per six letters,
 * and words in other alphabets one token per three letters. Chinese, Japanese and Korean count one token per character.
 * Each punctuation mark counts one token.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { 0: match } of text.matchAll(tokenPattern)) {
    const first = match.charCodeAt(0);
    if (first < 0x250) tokens += Math.ceil(match.length / 6);
    else if (first < 0x2e80) tokens += Math.ceil(match.length / 3);
    else tokens += match.length;
  }
  return tokens;
}

const tokenPattern = /\p{L}[\p{L}\p{M}]*|\p{N}{1,3}|[^\s\p{L}\p{N}]/gu;
