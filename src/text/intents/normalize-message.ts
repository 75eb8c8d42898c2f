import { fold } from '../tokenize.ts';
import type { Intent } from './intent.ts';

/** A message reduced to what its intent depends on. */
export interface NormalizedMessage {
  /**
   * Folded words without apostrophes. Letters repeated three times or more are reduced to one. A phone number is the
   * word "phonenumber".
   */
  readonly words: readonly string[];
  /** Intent of the first emoji with a known meaning. Null without such an emoji. */
  readonly emojiIntent: Intent | null;
  /** True if the message contains no letters and digits, only punctuation or emoji. */
  readonly isWordless: boolean;
}

/** Returns null if the message is too long for small talk. */
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

/** In UTF-16 units. */
const maxLength = 200;
const maxWords = 24;

/** At least seven digits. */
const phoneNumber = /(?<![\p{L}\p{N}])\+?(?:\(?\d[\s()/.-]{0,3}){6,19}\d(?![\p{L}\p{N}])/gu;

const emojiIntents: readonly (readonly [Intent, RegExp])[] = [
  ['COMPLAINT', /[👎😡😠🤬😤💩🖕🤮]/u],
  ['GREETING', /[👋🙋🤝]/u],
  ['THANKS', /[👍👌🙏👏🎉🥳🤗😍🥰😊🙂😀😃😄😁😎🤩💯✅❤💙💚💛💜🧡🖤🤍♥]/u],
];

function emojiIntentOf(message: string): Intent | null {
  return emojiIntents.find(([, emoji]) => emoji.test(message))?.[0] ?? null;
}
