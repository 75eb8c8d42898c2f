/** A streaming text filter. */
export interface TextFilter {
  /** Processes the next chunk. Returns the filtered text that later chunks cannot change any more. */
  push(text: string): string;
  /** Ends the input and returns the buffered text. */
  flush(): string;
}
