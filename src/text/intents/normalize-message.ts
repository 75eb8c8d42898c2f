import { fold } from '../tokenize.ts';
import type { Intent } from './intent.ts';

/** The properties of a message that decide its intent. */
export interface NormalizedMessage {
  /**
   * Folded words without apostrophes. A letter that is repeated three times or more is reduced to one. A phone number
   * becomes the word "phonenumber".
   */
  readonly words: readonly string[];
  /** Intent of the first emoji with a known meaning. Null if the message has no such emoji. */
  readonly emojiIntent: Intent | null;
  /** Whether the message contains no letters or digits, only punctuation or emoji. */
  readonly isWordless: boolean;
}

/** Normalizes a message. Returns null if the message is too long for small talk. */
export function normalizeMessage(message: string): NormalizedMessage | null {
  if (message.length > maxLength) return null;
  const words = fold(message)
    .replace(/['’‘`´]/gu, '')
    .replace(phoneNumber, ' phonenumber ')
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu);
  if ((words?.length ?? 0) > maxWords) return null;
  return {
    words: (words ?? []).map((word) => word.replace(/(\p{L})\1{2,}/gu, '$1')),
    emojiIntent: emojiIntentOf(message),
    isWordless: words === null,
  };
}

/** Maximum length of small talk, in UTF-16 units. */
const maxLength = 200;
const maxWords = 24;

/** Matches phone numbers with at least seven digits. */
const phoneNumber = /(?<![\p{L}\p{N}])\+?(?:\(?\d[\s()/.-]{0,3}){6,19}\d(?![\p{L}\p{N}])/gu;

const emojiIntents: readonly (readonly [Intent, RegExp])[] = [
  ['COMPLAINT', /[👎😡😠🤬😤💩🖕🤮]/u],
  ['GREETING', /[👋🙋🤝]/u],
  ['THANKS', /[👍👌🙏👏🎉🥳🤗😍🥰😊🙂😀😃😄😁😎🤩💯✅❤💙💚💛💜🧡🖤🤍♥]/u],
];

function emojiIntentOf(message: string): Intent | null {
  return emojiIntents.find(([, emoji]) => emoji.test(message))?.[0] ?? null;
}
