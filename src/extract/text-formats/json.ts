import { readText } from '../encoding/decode-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import { createTextBuilder } from '../text-builder.ts';
import { addJson } from './json-blocks.ts';

/**
 * Extracts the values of a JSON file, each with its path. If the file as a whole is not JSON, reads it as JSONL: one
 * JSON value per line.
 */
export async function readJson(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const text = await readText(bytes);
  try {
    return extractValue(parseJson(text), limits);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const values = parseLines(text);
    if (values.length < 2) throw invalid('The file is not valid JSON.', error);
    return extractValue(values, limits);
  }
}

/** Extracts the records of a JSONL file (also called NDJSON): one JSON value per line. */
export async function readJsonLines(
  bytes: Uint8Array,
  limits: ExtractLimits,
): Promise<ExtractedText> {
  return extractValue(parseLines(await readText(bytes)), limits);
}

function extractValue(value: unknown, limits: ExtractLimits): ExtractedText {
  const builder = createTextBuilder(limits.textCharacters);
  addJson(builder, value);
  return builder.build();
}

/**
 * Parses one JSON value per line.
 * @throws ExtractError CORRUPT_FILE for the first line that is not JSON.
 */
function parseLines(text: string): unknown[] {
  const values: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      values.push(parseJson(line));
    } catch (error) {
      throw invalid(`Line ${index + 1} is not valid JSON.`, error);
    }
  }
  return values;
}

function parseJson(text: string): unknown {
  const hasSpecialNumber = /\d{16}|\de[+-]?\d|\.\d*0(?!\d)/i.test(text);
  if (!hasSpecialNumber) return JSON.parse(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch (error) {
    // Deep nesting exceeds the stack only with a reviver.
    if (!(error instanceof RangeError)) throw error;
    return JSON.parse(text);
  }
}

/**
 * Returns a number as text, exactly as in the file, if JavaScript would write it differently. Examples are an id with 18
 * digits, and the version 1.10.
 */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const isExact = Number.isSafeInteger(value) || (Number.isFinite(value) && value % 1 !== 0);
  return isExact && !/\.\d*0$/.test(context.source) ? value : context.source;
}

function invalid(message: string, cause: unknown): ExtractError {
  return new ExtractError('CORRUPT_FILE', message, { cause });
}
