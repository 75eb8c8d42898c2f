import { type Texts, textsIn } from './texts/texts.ts';

/** What a site says on the script tag. */
export interface Settings {
  readonly key: string;
  /** Where the service is, with a slash at the end. */
  readonly base: string;
  readonly title: string;
  readonly greeting: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly theme: 'auto' | 'light' | 'dark';
  /** In the language that the site names or, as it is loaded, has. */
  readonly texts: Texts;
}

/** Null without a key. What makes no sense counts as left out. */
export function readSettings({ src, dataset }: HTMLScriptElement): Settings | null {
  const { key, title, greeting, color = '', theme, language } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  const texts = textsIn(language ?? document.documentElement.lang);
  return {
    key,
    base: new URL('.', src).href,
    title: title?.trim() || texts.title,
    greeting: greeting?.trim() || texts.greeting,
    color: /^#[\da-f]{6}$/i.test(color) ? color : '#1d4ed8',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    texts,
  };
}
