import { readTextFile } from '../../components/read-text-file.ts';

export type QuestionFormat = 'CSV' | 'JSONL';

export interface QuestionFile {
  readonly text: string;
  /** Null if the file name has none of the known extensions. */
  readonly format: QuestionFormat | null;
}

const formats: ReadonlyMap<string, QuestionFormat> = new Map([
  ['csv', 'CSV'],
  ['tsv', 'CSV'],
  ['jsonl', 'JSONL'],
  ['ndjson', 'JSONL'],
  ['json', 'JSONL'],
]);

/** Names of files that can be chosen, for an input field. */
export const acceptedFiles = [...formats.keys(), 'txt'].map((ending) => `.${ending}`).join(',');

/** Reads a file of questions. Returns null if it is not UTF-8. */
export async function readQuestionFile(file: File): Promise<QuestionFile | null> {
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  const text = await readTextFile(file);
  return text === null ? null : { text, format: formats.get(ending) ?? null };
}

/**
 * Returns the format of the text in the form. The name of the file decides as long as the first line of the text is that
 * of the file. Otherwise a text that begins with `{` is JSON Lines.
 */
export function formatOf(text: string, file: QuestionFile | null): QuestionFormat {
  if (file?.format != null && firstLine(text) === firstLine(file.text)) return file.format;
  return text.trimStart().startsWith('{') ? 'JSONL' : 'CSV';
}

function firstLine(text: string): string {
  return text.split(/[\r\n]/, 1)[0] ?? '';
}
