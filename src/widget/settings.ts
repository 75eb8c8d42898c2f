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
  /** `#rrggbb` */
  readonly color: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Whether the team sees that the visitor types. `data-typing="off"` switches it off. */
  readonly signalsTyping: boolean;
  /** In the language of `data-language`, or else of the page when the widget loads. */
  readonly texts: Texts;
  /** The user who is signed in to the website. Null: an anonymous visitor. */
  readonly user: User | null;
}

/** Returns null without a valid key. Other invalid attributes get their default. */
export function readSettings({ src, dataset }: HTMLScriptElement): Settings | null {
  const { key, title, greeting, color = '', theme, typing, language } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  const texts = textsForLanguage(language ?? document.documentElement.lang);
  return {
    key,
    baseUrl: new URL('.', src).href,
    title: title?.trim() || texts.title,
    greeting: greeting?.trim() || texts.greeting,
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
