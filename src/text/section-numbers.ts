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

/** Returns the numbers at the start of the headings, such as `3.2` of "3.2 Ice" or "3.2Ice". */
export function sectionNumbers(headings: readonly string[]): readonly string[] {
  return headings.flatMap(
    (heading) =>
      atStart.exec(
        heading.slice(0, 200).replace(/^(?:#{1,6} )?\p{L}+/u, (word) => word.toLowerCase()),
      )?.[1] ?? [],
  );
}

const gluedNumber = /^(\p{Nd}{1,2}(?:\.\p{Nd}{1,3}){1,5}[.)]?)(?=\p{Lu}\p{Ll})/u;
const gluedNumberOfWriter = /^(\p{Nd}{1,2}(?:\.\p{Nd}{1,3}){0,5}[.)]?)(?=\p{Lu})/u;

/**
 * Separates the number of a heading from its title, as in "3.2Ice" in the HTML and PDF files of LibreOffice. A number
 * without a dot, as in "3Liability", is separated only if LibreOffice wrote the file, because "3Dimensions" is a name.
 */
export function separateSectionNumber(heading: string, isOfWriter = false): string {
  const pattern = isOfWriter ? gluedNumberOfWriter : gluedNumber;
  return heading.replace(pattern, '$1 ');
}
