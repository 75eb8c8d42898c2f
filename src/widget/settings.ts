import { parseAttributes } from './attributes.ts';
import { type Look, parseColor, plainLook } from './look.ts';
import type { Texts } from './texts/language-texts.ts';
import { textsForLanguage } from './texts/texts.ts';
import { readUser, type User } from './user.ts';

/** The `data-` attributes of the script tag. */
export interface Settings {
  readonly key: string;
  /** URL of the service, with a trailing slash. */
  readonly baseUrl: string;
  /** The look that the tag sets. It has precedence over the look of the project. */
  readonly look: Look;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Whether the team sees that the visitor is typing. False with `data-typing="off"`. */
  readonly signalsTyping: boolean;
  /** Whether the team sees the page and the time zone of the visitor. False with `data-page="off"`. */
  readonly sendsPage: boolean;
  /** What `data-attributes` says of the visitor. */
  readonly attributes: object | null;
  /**
   * Texts in the language of `data-language`. Without this attribute, in the language that the page has when the widget
   * loads.
   */
  readonly texts: Texts;
  /** The user who is signed in to the website. Null: the visitor is anonymous. */
  readonly user: User | null;
}

/** Returns null without a valid key. All other invalid attributes get their defaults. */
export function readSettings({ src, dataset }: HTMLScriptElement): Settings | null {
  const { key, theme, typing, page, language } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  return {
    key,
    baseUrl: new URL('.', src).href,
    look: readLook(dataset),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    signalsTyping: typing !== 'off',
    sendsPage: page !== 'off',
    attributes: parseAttributes(dataset.attributes),
    texts: textsForLanguage(language ?? document.documentElement.lang),
    user: readUser({
      userId: dataset.userId,
      userHash: dataset.userHash,
      name: dataset.userName,
      email: dataset.userEmail,
    }),
  };
}

function readLook({ title, greeting, aiNotice, color, position, logoUrl }: DOMStringMap): Look {
  return {
    ...plainLook,
    title: title?.trim() || null,
    greeting: greeting?.trim() || null,
    aiNotice: aiNotice?.trim() || null,
    color: parseColor(color ?? null),
    position: position === 'left' ? 'LEFT' : position === 'right' ? 'RIGHT' : null,
    logoUrl: logoUrl?.trim() || null,
  };
}
