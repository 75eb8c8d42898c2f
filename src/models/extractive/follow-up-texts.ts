import { detectLanguage, type Language } from '../../text/detect-language.ts';

/** Texts of the built-in model for repeated answers. */
interface FollowUpTexts {
  /** Text at the start of an answer that is the same as the previous one. */
  readonly sameAnswer: string;
  /** Text for the case that the documents contain nothing else about the topic. */
  readonly nothingMore: string;
}

const textsByLanguage: Readonly<Record<Language, FollowUpTexts>> = {
  en: {
    sameAnswer: 'The same passage applies:',
    nothingMore: 'The documents contain nothing more about this.',
  },
  de: {
    sameAnswer: 'Hier gilt dieselbe Stelle:',
    nothingMore: 'Mehr steht dazu nicht in den Dokumenten.',
  },
  fr: {
    sameAnswer: "Le même passage s'applique :",
    nothingMore: "Les documents n'en disent pas plus à ce sujet.",
  },
  es: {
    sameAnswer: 'Se aplica el mismo pasaje:',
    nothingMore: 'Los documentos no contienen nada más sobre esto.',
  },
  it: {
    sameAnswer: 'Vale lo stesso passaggio:',
    nothingMore: 'I documenti non contengono altro su questo argomento.',
  },
  nl: {
    sameAnswer: 'Dezelfde passage geldt:',
    nothingMore: 'De documenten bevatten hierover niets meer.',
  },
  pt: {
    sameAnswer: 'Aplica-se a mesma passagem:',
    nothingMore: 'Os documentos não contêm mais nada sobre isto.',
  },
};

/**
 * Returns the built-in texts in the language of the first of `texts` whose language is recognized. If there is none,
 * returns them in English.
 */
export function followUpTexts(texts: readonly string[]): FollowUpTexts {
  for (const text of texts) {
    const language = detectLanguage(text);
    if (language !== null) return textsByLanguage[language];
  }
  return textsByLanguage.en;
}
