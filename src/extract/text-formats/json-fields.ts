import { cleanLine } from '../clean-text.ts';
import { ExtractError } from '../extracted-text.ts';
import { type FieldText, readFieldText } from '../records/field-text.ts';

/** A value that is not an object, with its path, such as `address.city` or `items[0].name`. */
export interface JsonField extends FieldText {
  readonly path: string;
}

interface JsonRecords {
  readonly path: string;
  readonly value: readonly unknown[];
}

const maxDepth = 100;
const maxNameLength = 120;
const maxPathLength = 300;

/** Matches a long text that is encoded binary data, such as an image. */
const encodedPattern = /^(?:data:[^\s,]{0,200},)?[\w+/=-]{500,}$/;

/**
 * Returns the non-empty values inside a JSON value. An array of plain values counts as one value, joined by commas.
 * @param isRecords returns true for an array that is listed in `records`. The values of other arrays are listed in
 * `fields`.
 * @throws ExtractError TOO_LARGE when the value is nested too deeply.
 */
export function flattenJson(
  value: unknown,
  isRecords: (value: unknown) => value is readonly unknown[] = isNever,
): { readonly fields: readonly JsonField[]; readonly records: readonly JsonRecords[] } {
  const fields: JsonField[] = [];
  const records: JsonRecords[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (depth > maxDepth) {
      throw new ExtractError('TOO_LARGE', `The JSON is nested deeper than ${maxDepth} levels.`);
    }
    if (isRecords(value)) records.push({ path, value });
    else if (Array.isArray(value)) {
      if (value.some(isContainer)) {
        for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, depth + 1);
      } else {
        const texts = value.map((item) => readFieldText(path, scalarText(item)).text);
        addField(path, { text: texts.filter(Boolean).join(', ') });
      }
    } else if (isContainer(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, join(path, key), depth + 1);
    } else addField(path, readFieldText(path, scalarText(value)));
  };
  const addField = (path: string, field: FieldText) => {
    if (field.text.trim() !== '' && !encodedPattern.test(field.text))
      fields.push({ path, ...field });
  };
  visit(value, '', 0);
  return { fields, records };
}

/** Returns the values on one line, each with its path. */
export function jsonRow(fields: readonly JsonField[]): string {
  return fields
    .map(({ path, text }) => (path === '' ? cleanLine(text) : `${path}: ${cleanLine(text)}`))
    .join('; ');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isNever(_value: unknown): _value is readonly unknown[] {
  return false;
}

function scalarText(value: unknown): string {
  return value === null ? '' : String(value);
}

/** Appends a key to a path. Cuts long keys and paths, because each nested value repeats them. */
function join(path: string, key: string): string {
  const name = cleanLine(key.slice(0, maxNameLength));
  return path === '' ? name : `${path}.${name}`.slice(-maxPathLength);
}
