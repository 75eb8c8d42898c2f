const sectionWord =
  'sections?|articles?|art\\.|chapters?|clauses?|paragraphs?|items?|points?|rules?|abschnitt|kapitel|artikel|ziffer|punkt|absatz|paragraf|sección|artículo|capítulo|cláusula|chapitre|sezione|articolo|capitolo|artigo|hoofdstuk|§{1,2}';
const afterWord = new RegExp(
  `(?<!\\p{L})(?:${sectionWord})\\s?(?:no\\.? ?|nr\\.? ?)?(\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){0,5})(?![\\p{Nd}\\p{L}])`,
  'giu',
);
const atStart = new RegExp(
  `^(?:#{1,6} )?(?:(?:${sectionWord})\\s?)?(\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){0,5})(?:[.):]?(?=\\s|$)|(?<=\\.\\p{Nd}{1,3})(?=\\p{Lu}))`,
  'u',
);

/** Returns the numbers of the sections that a question names, such as `3.2` in "What does section 3.2 say?". */
export function askedSections(question: string): readonly string[] {
  return [...question.matchAll(afterWord)].map(([, number = '']) => number);
}

/** Returns the numbers at the start of the headings, such as `3.2` of "3.2 Ice", or of "3.2Ice" in LibreOffice's HTML. */
export function sectionNumbers(headings: readonly string[]): readonly string[] {
  return headings.flatMap(
    (heading) =>
      atStart.exec(heading.slice(0, 200).replace(/^\p{L}+/u, (word) => word.toLowerCase()))?.[1] ??
      [],
  );
}
