import { DomainError } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/is-json-object.ts';
import { hasNoNul, isWellFormed } from '../../text/text-rules.ts';

/** What a website says of its visitor, such as `{ plan: 'pro', seats: 12 }`. Not verified. */
export type VisitorAttributes = Readonly<Record<string, AttributeValue>>;

type AttributeValue = string | number | boolean;

export interface NamedAttribute {
  readonly name: string;
  readonly value: string;
}

const maxAttributes = 20;
const maxValueLength = 200;
/** `__proto__` is not the name of a property like others. */
const attributeName = /^(?!__proto__$)(?=.*\S)[\p{L}\p{M}\p{N}_ -]{1,40}$/u;

/**
 * Returns the attributes in the form NFC. Returns null if none are given.
 * @throws DomainError VALIDATION_FAILED with one message for each invalid attribute. Each message starts with `attributes`.
 */
export function parseVisitorAttributes(given: unknown): VisitorAttributes | null {
  if (given === undefined) return null;
  if (!isJsonObject(given)) throw invalid(['attributes must be an object']);
  const entries = Object.entries(given);
  if (entries.length > maxAttributes) {
    throw invalid([`attributes must have at most ${maxAttributes} names`]);
  }
  const problems: string[] = [];
  const attributes: [string, AttributeValue][] = [];
  for (const [name, value] of entries) {
    const problem = findProblem(name, value);
    if (problem !== null) problems.push(problem);
    else if (isAttributeValue(value)) attributes.push([name.normalize('NFC'), normalize(value)]);
  }
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(attributes);
}

/** Returns stored attributes, sorted by name. */
export function listVisitorAttributes(stored: unknown): NamedAttribute[] {
  return Object.entries(isJsonObject(stored) ? stored : {})
    .map(([name, value]) => ({ name, value: String(value) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function findProblem(name: string, value: unknown): string | null {
  // Sanitized: an invalid name may contain anything.
  const field = `attributes.${name.slice(0, 40).replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '?')}`;
  if (!attributeName.test(name)) {
    return `${field} must have a name of 1 to 40 letters, digits, "_", "-" and spaces`;
  }
  if (!isAttributeValue(value)) return `${field} must be a string, a number or a boolean`;
  if (typeof value !== 'string') return null;
  if ([...value].length > maxValueLength) {
    return `${field} must be at most ${maxValueLength} characters`;
  }
  if (!hasNoNul(value)) return `${field} must not contain NUL characters`;
  return isWellFormed(value) ? null : `${field} must be well-formed Unicode`;
}

function invalid(messages: readonly string[]): DomainError {
  return new DomainError('VALIDATION_FAILED', messages);
}

function isAttributeValue(value: unknown): value is AttributeValue {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function normalize(value: AttributeValue): AttributeValue {
  return typeof value === 'string' ? value.normalize('NFC') : value;
}
