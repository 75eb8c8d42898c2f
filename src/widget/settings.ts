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
}

/** Null without a key. What makes no sense counts as left out. */
export function readSettings({ src, dataset }: HTMLScriptElement): Settings | null {
  const { key, title, greeting, color = '', theme } = dataset;
  if (key === undefined || !/^pk_\w{1,60}$/.test(key)) return null;
  return {
    key,
    base: new URL('.', src).href,
    title: title?.trim() || 'Ask us',
    greeting: greeting?.trim() || 'Hello! Ask a question, and the answer comes with its sources.',
    color: /^#[\da-f]{6}$/i.test(color) ? color : '#1d4ed8',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}
