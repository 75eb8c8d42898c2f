/** A filter for streamed text. */
export interface TextFilter {
  /** Processes the next chunk. Returns that part of the filtered text that later chunks can no longer change. */
  push(text: string): string;
  /** Ends the input and returns the buffered text. */
  flush(): string;
}
