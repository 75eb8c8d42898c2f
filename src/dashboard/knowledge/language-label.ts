const names = new Intl.DisplayNames('en', { type: 'language' });

/** Returns the English name of a language by its ISO 639-1 code. */
export function languageLabelOf(language: string): string {
  return names.of(language) ?? language;
}
