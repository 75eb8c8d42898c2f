import { cleanLine } from '../clean-text.ts';

/** The front matter of a Markdown file: what its readers see of it, and all short values by name. */
export interface FrontMatter {
  /** Title of the document, or ''. */
  readonly title: string;
  /** Lines such as the description and `Tags: heating, zigbee`. */
  readonly lines: readonly string[];
  readonly values: ReadonlyMap<string, string>;
  /** Number of characters of the front matter in the text. */
  readonly length: number;
}

const maxLength = 50_000;
const proseNames = /^(?:description|summary|subtitle|abstract|excerpt|lead|tagline)$/i;
const labelNames = /^(?:tags|keywords|categories|category|aliases|author|authors|date|version)$/i;
/** Names whose values serve the program that builds the pages, although they contain words. */
const technicalNames =
  /^(?:title|slug|id|layout|template|permalink|url|path|image|icon|cover|parent|grand_parent|nav_.{0,60}|sidebar.{0,60}|pagination.{0,60}|hide_.{0,60}|custom_.{0,60}|displayed_.{0,60}|menu|weight|linktitle|seo.{0,60}|og.{0,60}|twitter.{0,60}|meta.{0,60}|css.{0,60}|class.{0,60}|type|lang.{0,60}|locale|head|hero|features|theme|cssclass.{0,60}|jupytext|kernelspec|jupyter|myst|format.{0,60}|output|execute|params|draft|published|toc.{0,60}|robots|canonical.{0,60}|redirect.{0,60}|banner.{0,60}|series|outputs|cascade|resources|build|bibliography|csl|editor|license|copyright|social.{0,60}|last.{0,60}|.{0,60}_?position|.{0,60}_?id|.{0,60}color.{0,60})$/i;
const fieldPattern = /^["']?([A-Za-z_][\w.-]{0,60})["']?[ \t]{0,4}[:=](?=[ \t]|$)/;

/** Returns the front matter in YAML, TOML or JSON at the start of a text, or null. */
export function readFrontMatter(text: string): FrontMatter | null {
  const found = findFrontMatter(text);
  if (found === null) return null;
  const values = new Map<string, string>();
  for (const [name, value] of found.fields) {
    if (value !== '' && !values.has(name)) values.set(name, value);
  }
  const lines = [...values].flatMap(([name, value]) => lineOf(name, value));
  return { title: values.get('title') ?? '', lines, values, length: found.length };
}

interface Found {
  readonly fields: (readonly [name: string, value: string])[];
  readonly length: number;
}

function findFrontMatter(text: string): Found | null {
  const [first = ''] = text.slice(0, 200).split('\n', 1);
  const mark = first.trimEnd();
  if (mark !== '---' && mark !== '+++') return null;
  const lines = text.slice(0, maxLength).split('\n');
  const end = lines.findIndex((line, index) => {
    const written = line.trimEnd();
    return index > 0 && (written === mark || (mark === '---' && written === '...'));
  });
  if (end < 0) return null;
  const fields = readFields(lines.slice(1, end));
  const isEmpty = lines.slice(1, end).every((line) => line.trim() === '');
  // A thematic break above prose is no front matter.
  if (fields.length === 0 && !isEmpty) return null;
  const length = lines.slice(0, end + 1).reduce((sum, line) => sum + line.length + 1, 0);
  return { fields, length: Math.min(length, text.length) };
}

/** Reads `name: value` and `name = value`, lists, and texts of several lines. Reads no objects in objects. */
function readFields(lines: readonly string[]): (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = [];
  let isInTable = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s*\[/.test(line)) isInTable = true;
    const [start = '', name] = fieldPattern.exec(line) ?? [];
    const value = line.slice(start.length);
    if (name === undefined || isInTable) continue;
    const inner: string[] = [];
    while (isInner(lines[at + 1], value)) {
      at += 1;
      inner.push((lines[at] ?? '').trim());
    }
    fields.push([name.toLowerCase(), readValue(value.trim(), inner)]);
  }
  return fields;
}

/** Whether the line belongs to the value of the field above it. */
function isInner(line: string | undefined, value: string): boolean {
  if (line === undefined) return false;
  if (/^[ \t]+\S/.test(line) || /^- /.test(line) || line.trim() === ']') return true;
  return line.trim() === '' && /^[|>]/.test(value.trim());
}

function readValue(value: string, inner: readonly string[]): string {
  const isText = /^(?:[|>][+-]?\d?|"""|''')?$/.test(value);
  if (/^\[/.test(value))
    return items(
      [value, ...inner]
        .join(' ')
        .replace(/^\[|\]$/g, '')
        .split(','),
    );
  if (inner.length > 0 && inner.every((line) => line.startsWith('- ') || line === '')) {
    return items(inner.map((line) => line.slice(2)));
  }
  if (isText && /^[\w-]+:(?:\s|$)/.test(inner[0] ?? '') && value === '') return '';
  const lines = isText ? inner : [withoutComment(value), ...inner];
  return unquote(cleanLine(lines.join(' ').replace(/(?:"""|''')$/, '')));
}

function items(values: readonly string[]): string {
  const texts = values.map((value) => unquote(cleanLine(value)));
  return texts.filter((text) => text !== '' && !/^[\w-]+:\s|^\{/.test(text)).join(', ');
}

function withoutComment(value: string): string {
  return /^["']/.test(value) ? value : (value.split(/[ \t]#/, 1)[0] ?? '');
}

function unquote(value: string): string {
  const [, quote = '', inner = value] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'");
}

function lineOf(name: string, value: string): string[] {
  const isWords =
    /\p{L}/u.test(value) && /\S\s\S/.test(value) && !/^[{[&*!]|^https?:\S*$|^\//.test(value);
  if (proseNames.test(name)) return [value];
  if (labelNames.test(name)) {
    const shown = value
      .split(', ')
      .filter((item) => !/^\/|^\w+:\/\/|^\{/.test(item))
      .join(', ');
    return shown === '' ? [] : [`${capitalized(name)}: ${shown}`];
  }
  return technicalNames.test(name) || !isWords ? [] : [`${capitalized(name)}: ${value}`];
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, ' ');
}
