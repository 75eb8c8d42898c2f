import type { Intent } from '../../../../text/intents/intent.ts';

/** The built-in texts of one language. The project can replace each. */
export interface Replies extends Readonly<Record<Intent, string>> {
  /** Answer if the documents contain none. */
  readonly fallback: string;
  /** Reply after the assistant has requested a handoff. */
  readonly handoffRequested: string;
}
