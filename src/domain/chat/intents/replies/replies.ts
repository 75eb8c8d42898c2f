import type { Intent } from '../../../../text/intents/intent.ts';

/** The built-in texts of one language. The project can replace each text. */
export interface Replies extends Readonly<Record<Intent, string>> {
  /** Reply if the documents do not contain the answer. */
  readonly fallback: string;
  /** Reply after the assistant has requested a handoff. */
  readonly handoffRequested: string;
}
