import { type Html, html } from '../html.ts';
import { renderDescription } from '../markdown.ts';
import { type Parameter, resolveSchema, type Schema } from './openapi.ts';

/** One entry in a list of fields or parameters. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly description: string;
}

/** Renders parameters as a list. */
export function renderParameters(parameters: readonly Parameter[]): Html {
  const fields = parameters.map(({ name, required = false, description = '', schema }) => ({
    ...{ name, isRequired: required, schema, description },
  }));
  return renderFields(fields, []);
}

/**
 * Renders what a schema contains: the fields of an object, the alternatives of `anyOf`, the entries of a list. Nested
 * objects are folded. A schema that contains itself is not repeated.
 * @param areAlwaysSent whether the service sends all fields, so that "required" would say nothing
 */
export function renderSchema(
  given: Schema,
  areAlwaysSent: boolean,
  within: readonly string[] = [],
): Html | null {
  const { schema, name } = resolveSchema(given);
  if (name !== null && within.includes(name)) return null;
  const inner = name === null ? within : [...within, name];
  if (schema.items !== undefined) return renderSchema(schema.items, areAlwaysSent, inner);
  if (schema.anyOf !== undefined) {
    const alternatives = schema.anyOf.map((entry) => renderAlternative(entry, inner));
    return html`<p>One of:</p>${alternatives}`;
  }
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0) return null;
  const fields = Object.entries(properties).map(([field, value]) => ({
    name: field,
    isRequired: !areAlwaysSent && required.includes(field),
    schema: value,
    description: resolveSchema(value).schema.description ?? '',
  }));
  return renderFields(fields, inner, areAlwaysSent);
}

function renderAlternative(given: Schema, within: readonly string[]): Html {
  const { schema, name } = resolveSchema(given);
  const content = renderSchema(given, true, within);
  if (content === null) return html`<p>${typeOf(given)}</p>`;
  return html`<details><summary><code>${name ?? typeOf(given)}</code></summary>
${schema.description !== undefined && renderDescription(schema.description)}${content}</details>`;
}

function renderFields(
  fields: readonly Field[],
  within: readonly string[],
  areAlwaysSent = false,
): Html {
  return html`<ul class="fields">${fields.map(({ name, isRequired, schema, description }) => {
    const nested = renderSchema(schema, areAlwaysSent, within);
    return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${isRequired && html` <span class="required">required</span>`}
${description !== '' && renderDescription(description)}${nested !== null && html`<details><summary>Fields of <code>${name}</code></summary>${nested}</details>`}</li>`;
  })}</ul>`;
}

/** Returns type and limits in words, such as `string, 1 to 255 characters`. */
function typeOf(given: Schema): string {
  const { schema } = resolveSchema(given);
  const parts = [nameOfType(schema), rangeOf(schema)];
  if (schema.enum !== undefined && schema.enum.length > 1) {
    parts.push(`one of ${schema.enum.filter((value) => value !== null).join(', ')}`);
  }
  const preset = schema.default ?? schema['x-default'];
  if (preset !== undefined && preset !== null) parts.push(`default ${JSON.stringify(preset)}`);
  return parts.filter((part) => part !== null).join(', ');
}

function nameOfType(schema: Schema): string {
  const orNull = schema.nullable ? ' or null' : '';
  if (schema.items !== undefined) return `list of ${pluralOf(schema.items)}${orNull}`;
  if (schema.enum?.length === 1) return `${JSON.stringify(schema.enum[0])}${orNull}`;
  const formats: Readonly<Record<string, string>> = {
    uuid: 'UUID',
    'date-time': 'time (ISO 8601)',
    uri: 'URL',
    binary: 'file',
  };
  const byType = schema.type ?? (schema.anyOf === undefined ? 'any value' : 'object');
  return `${formats[schema.format ?? ''] ?? byType}${orNull}`;
}

function pluralOf(items: Schema): string {
  const { schema } = resolveSchema(items);
  const name = nameOfType(schema);
  return name.startsWith('list of') ? name.replace('list', 'lists') : `${name}s`;
}

function rangeOf(schema: Schema): string | null {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  return (
    range(minLength, maxLength, 'characters') ??
    range(minItems, maxItems, 'entries') ??
    range(minimum, maximum, '')
  );
}

function range(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least === undefined && most === undefined) return null;
  const format = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 10 });
  const words = unit === '' ? '' : ` ${unit}`;
  if (least === undefined) return `at most ${format(most ?? 0)}${words}`;
  if (most === undefined || most >= 1e9) return `at least ${format(least)}${words}`;
  return least === most
    ? `${format(least)}${words}`
    : `${format(least)} to ${format(most)}${words}`;
}
