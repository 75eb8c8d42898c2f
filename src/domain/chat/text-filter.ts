/** Text that arrives in pieces and leaves in pieces. */
export interface TextFilter {
  /** Takes the next piece, returns what is certain by now. */
  push(text: string): string;
  /** Returns what was held back; the text is over. */
  flush(): string;
}
