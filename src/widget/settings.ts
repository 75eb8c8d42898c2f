import { type Texts, textsForLanguage } from './texts/texts.ts';

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
  /** In the language of `data-language`, or else of the page when the widget loads. */
  readonly texts: Texts;
}

/** Returns null without a valid key. Other invalid attributes get their default. */
export function readSettings({ src, dataset }: HTMLScriptElement): Settings | null {
  const { key, title, greeting, color = '', theme, language } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  const texts = textsForLanguage(language ?? document.documentElement.lang);
  return {
    key,
    baseUrl: new URL('.', src).href,
    title: title?.trim() || texts.title,
    greeting: greeting?.trim() || texts.greeting,
    color: /^#[\da-f]{6}$/i.test(color) ? color : '#1d4ed8',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    texts,
  };
}
