import type { Candidate } from './candidate.ts';
import { isForm } from './form-penalty.ts';

type FormText = Pick<Candidate, 'text' | 'kind' | 'row' | 'document' | 'documentId'>;

/**
 * Returns the texts that are forms: pairs of "label: value" that describe the subject of the whole document. A row of a
 * table can also have labels, but each row has its own subject, so rows must be recognized. Rows with column titles are
 * known. Other rows are recognized if two texts of the document begin with the same label and different values, such as
 * "Name: Ann; …" and "Name: Ben; …". A spreadsheet or CSV file has no forms.
 */
export function findForms<Text extends FormText>(texts: readonly Text[]): ReadonlySet<Text> {
  const forms = texts.filter(
    ({ row, kind, text, document }) =>
      row === null && kind !== 'list' && isForm(text) && !sheetPattern.test(document),
  );
  const starts = new Map<string, Set<string>>();
  for (const form of forms) {
    const key = labelKey(form);
    starts.set(key, (starts.get(key) ?? new Set()).add(firstPair(form)));
  }
  return new Set(forms.filter((form) => starts.get(labelKey(form))?.size === 1));
}

const sheetPattern = /\.(?:csv|tsv|xlsx?|ods)$/iu;

function labelKey(form: FormText): string {
  return JSON.stringify([form.documentId, firstPair(form).split(':')[0]]);
}

function firstPair({ text }: FormText): string {
  return text.split('; ')[0] ?? '';
}
