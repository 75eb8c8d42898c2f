import { z } from 'zod';
import { maxOcrPages } from '../../extract/ocr/ocr-settings.ts';
import { OcrMode as OcrModes } from '../../platform/postgres/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { fieldsSchema, optionalInteger } from '../input-rules.ts';

const OcrMode = builder.enumType('OcrMode', {
  description: 'Selects the images and pages that OCR reads.',
  values: {
    [OcrModes.AUTO]: {
      description: 'Images, and pages of PDFs that contain no text. The default.',
    },
    [OcrModes.ON]: { description: 'Also pictures on pages of PDFs that contain text.' },
    [OcrModes.OFF]: { description: 'Nothing. Images fail with UNSUPPORTED_FILE.' },
  },
});

const descriptions = {
  languages:
    "Languages of the images, the most likely first, by Tesseract's names, such as `eng` or `deu`. Their data must be installed.",
  maxPages:
    'Maximum number of pages of a file that OCR reads. A file that contains only scans and has more pages fails with TOO_LARGE.',
};

export const OcrSettings = builder
  .objectRef<{ mode: OcrModes; languages: string[]; maxPages: number }>('OcrSettings')
  .implement({
    description: 'How images and scans among the documents of a project are read.',
    fields: (t) => ({
      mode: t.expose('mode', { type: OcrMode }),
      languages: t.exposeStringList('languages', { description: descriptions.languages }),
      maxPages: t.exposeInt('maxPages', { description: descriptions.maxPages }),
    }),
  });

/** Columns of the project that contain the settings. */
export const ocrColumns = { ocrMode: true, ocrLanguages: true, ocrPages: true } as const;

export const OcrSettingsInput = builder.inputType('OcrSettingsInput', {
  description:
    'Changes to OCR, for documents that are read from now on. Omitted fields stay unchanged; null restores the default.',
  fields: (t) => ({
    mode: t.field({ type: OcrMode }),
    languages: t.stringList({ description: `${descriptions.languages} 1 to 5 languages.` }),
    maxPages: t.int({ description: `${descriptions.maxPages} From 1 to ${maxOcrPages}.` }),
  }),
});

const languageRule = 'must be 1 to 5 names of languages, such as eng or chi_sim';

const maxLanguages = 5;
const languageName = /^[a-z]{3}(?:_[a-z]{1,8}){0,2}$/;

export const ocrSchema = fieldsSchema({
  // One rule checks the whole list, so that the error message names the field and not an item of the list.
  languages: z
    .array(z.string())
    .refine(
      (names) =>
        names.length > 0 &&
        names.length <= maxLanguages &&
        names.every((name) => languageName.test(name)),
      languageRule,
    )
    .nullish(),
  maxPages: optionalInteger(1, maxOcrPages),
});
