import type { TokenUsage } from '../../models/models.ts';
import type { TokenKind } from '../../platform/postgres/generated/prisma/enums.ts';

/**
 * Tokens that a model has counted. `RERANK`: what the rerank server bills, tokens or searches.
 */
export interface TokenCount {
  readonly model: string;
  readonly kind: TokenKind;
  readonly tokens: number;
}

/** Returns the tokens of a chat model. */
export function chatTokens(
  model: string,
  { inputTokens, outputTokens }: TokenUsage,
): readonly TokenCount[] {
  return [
    { model, kind: 'INPUT', tokens: inputTokens },
    { model, kind: 'OUTPUT', tokens: outputTokens },
  ];
}

/** Returns the sum of all tokens of a kind. */
export function sumOfKind(counts: readonly TokenCount[], kind: TokenKind): number {
  return counts.reduce((sum, count) => (count.kind === kind ? sum + count.tokens : sum), 0);
}

/** Maximum length of the name of a model, as in the table `token_days`. */
const maxModelLength = 200;

/** Returns one count per model and kind, as JSON for a statement. Returns null without tokens. */
export function tokensJson(counts: readonly TokenCount[]): string | null {
  const sums = new Map<string, TokenCount>();
  for (const { model: name, kind, tokens } of counts) {
    if (tokens <= 0) continue;
    const model = name.slice(0, maxModelLength);
    const key = `${kind} ${model}`;
    sums.set(key, { model, kind, tokens: tokens + (sums.get(key)?.tokens ?? 0) });
  }
  return sums.size === 0 ? null : JSON.stringify([...sums.values()]);
}
