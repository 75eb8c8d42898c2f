import type { Texts } from './texts/language-texts.ts';
import { textsForLanguage } from './texts/texts.ts';
import { readUser, type User } from './user.ts';

/** The `data-` attributes of the script tag. */
export interface Settings {
  readonly key: string;
  /** URL of the service, with a trailing slash. */
  readonly baseUrl: string;
  readonly title: string;
  readonly greeting: string;
  /** AI notice of this page. Null: that of the project, or the default. */
  readonly aiNotice: string | null;
  /** Color in the form `#rrggbb`. */
  readonly color: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Whether the team sees that the visitor is typing. False with `data-typing="off"`. */
  readonly signalsTyping: boolean;
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
  const { key, title, greeting, aiNotice, color = '', theme, typing, language } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  const texts = textsForLanguage(language ?? document.documentElement.lang);
  return {
    key,
    baseUrl: new URL('.', src).href,
    title: title?.trim() || texts.title,
    greeting: greeting?.trim() || texts.greeting,
    aiNotice: aiNotice?.trim() || null,
    color: /^#[\da-f]{6}$/i.test(color) ? color : '#1d4ed8',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    signalsTyping: typing !== 'off',
    texts,
    user: readUser({
      userId: dataset.userId,
      userHash: dataset.userHash,
      name: dataset.userName,
      email: dataset.userEmail,
    }),
  };
}
