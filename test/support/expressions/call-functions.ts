/**
 * Calls the functions of `src` that compile regular expressions, so that the check finds these. Imports them late,
 * because `RegExp` must be replaced before.
 */
export async function callCompilingFunctions(): Promise<void> {
  const { splitMarkdown } = await import('../../../src/extract/text-formats/markdown-sections.ts');
  for (const fence of ['```', '~'.repeat(5_000)]) splitMarkdown(`${fence}\ncode\n${fence}\n`);
  const { rtfTokens } = await import('../../../src/extract/rtf/rtf-tokens.ts');
  rtfTokens('{}').next();
  const { readSitemap } = await import('../../../src/extract/html/sitemap.ts');
  readSitemap(Buffer.from('<feed><entry><link href="/"/></entry></feed>'));
  const { compilePhrases } = await import('../../../src/text/intents/compile-phrases.ts');
  const languages = await Promise.all([
    import('../../../src/text/intents/phrases/de.ts').then(({ de }) => de),
    import('../../../src/text/intents/phrases/en.ts').then(({ en }) => en),
    import('../../../src/text/intents/phrases/es.ts').then(({ es }) => es),
    import('../../../src/text/intents/phrases/fr.ts').then(({ fr }) => fr),
    import('../../../src/text/intents/phrases/it.ts').then(({ it }) => it),
    import('../../../src/text/intents/phrases/nl.ts').then(({ nl }) => nl),
    import('../../../src/text/intents/phrases/pt.ts').then(({ pt }) => pt),
  ]);
  for (const { patterns } of languages.map(compilePhrases)) {
    for (const { expression } of patterns) expression();
  }
}
