import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Maximum nesting of brackets. Brackets of fields, lists and objects count together. */
const maxNesting = 100;

/**
 * Refuses an operation with deeply nested brackets before it is parsed. The parser is recursive: 1,000 nested lists
 * need the whole stack. This plugin must come after the plugins that replace the parser.
 */
export const limitNesting: Plugin = {
  onParse({ parseFn, setParseFn }) {
    setParseFn((source, options) => {
      requireShallow(source);
      return parseFn(source, options);
    });
  },
};

function requireShallow(source: string | Source): void {
  const lexer = new Lexer(typeof source === 'string' ? new Source(source) : source);
  let depth = 0;
  // Invalid tokens throw the error that the parser would throw. The parser limits the number of tokens.
  for (let left = maxTokens; left > 0; left -= 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    depth += opening.has(kind) ? 1 : closing.has(kind) ? -1 : 0;
    if (depth > maxNesting) {
      throw new GraphQLError(`The operation has more than ${maxNesting} nested brackets`, {
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      });
    }
  }
}

/** Must not be less than the parser's limit of tokens. */
const maxTokens = 2_000;
const opening = new Set<Token['kind']>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<Token['kind']>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);
