import type { HtmlBlock } from '../html/html-blocks.ts';

/** A paragraph of an e-mail, or another block of its HTML. */
export interface MailPiece {
  /** How often the text is quoted: 0 for what the sender wrote. */
  readonly depth: number;
  /** The text without marks of quotation. */
  readonly text: string;
  /** The block of the HTML body, unless `text` is a paragraph. */
  readonly block: HtmlBlock | null;
  /** Whether the mail program marks the text as a signature. */
  readonly isSignature: boolean;
  /** Whether the piece belongs to the same paragraph as the piece before it. */
  readonly continues: boolean;
}

/** Maximum nesting of quotations. Deeper ones count as this deep, so that recursion is safe. */
export const maxQuoteDepth = 30;
