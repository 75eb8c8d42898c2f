import { closesFence, fenceOf, opensTextDirective } from './code-runs.ts';
import { attributeOf } from './component-tags.ts';
import { codeLine, contentEnd, contentStart } from './inline-marks.ts';
import { titleLine, warningOf } from './titles.ts';

const maxNesting = 8;
const admonition = /^[ \t]*(?:(?:!!!|\?\?\?\+?)([\w -]*)|===[!+]? ?)("[^"\n]*")?$/;
const callout = /^([ \t]{0,9}(?:> ?){1,9})\[!([\w-]{1,40})(?:\|[^\]\n]{0,100})?\][+-]?/;
const container = /^[ \t]*:{3,}[ \t]*(\{?)([\w.-]*)(\}?)/;
const containerEnd = /^\s*:{3,}\s*$/;
const textFence = /^[ \t]*(`{3,}|~{3,})\{([\w:-]+)\}/;
const option = /^\s*:[\w-]{1,40}:(?:\s|$)/;

/** Replaces admonitions, containers, callouts and directives by their titles and texts. Leaves code unchanged. */
export function readBlockMarks(lines: readonly string[], nesting = 0): string[] {
  const read: string[] = [];
  /** Indentation that the content of each open component has in addition to its tag. */
  const components: { readonly indent: number; strip: number | null }[] = [];
  const directives: string[] = [];
  let containers = 0;
  let fence = '';
  let hasOptions = false;
  const addTitle = (indent: string, title: string) => {
    read.push('', title === '' ? '' : `${indent}${titleLine(title)}`, '');
    hasOptions = true;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = dedent(lines[at] ?? '', components.at(-1));
    const mark = line.trim();
    if (fence !== '') {
      read.push(line);
      if (closesFence(line, fence)) fence = '';
      continue;
    }
    if (line.startsWith(codeLine)) {
      read.push(line.slice(1));
      continue;
    }
    if (hasOptions && option.test(line)) continue;
    if (mark !== '') hasOptions = false;
    const directive = directives.at(-1);
    const [directiveStart = '', directiveFence = '', name = ''] =
      (opensTextDirective(line) && textFence.exec(line)) || [];
    const [calloutStart = '', quote, calloutType = ''] = callout.exec(line) ?? [];
    const [marker, type = '', quoted = ''] =
      (nesting < maxNesting && admonition.exec(line.trimEnd())) || [];
    if (mark === contentStart) components.push({ indent: widthOf(line), strip: null });
    else if (mark === contentEnd) components.pop();
    else if (directive !== undefined && closesFence(line, directive)) {
      directives.pop();
      read.push('');
    } else if (directiveFence !== '') {
      directives.push(directiveFence);
      addTitle(spaceOf(line), directiveTitle(name, line.slice(directiveStart.length)));
    } else if (containerEnd.test(line)) {
      containers = Math.max(0, containers - 1);
      read.push('');
    } else if (container.test(line)) {
      const [opening = '', brace = '', type = '', end = ''] = container.exec(line) ?? [];
      const rest = line.slice(opening.length);
      const isAttributes = brace !== '' && end === '';
      containers += 1;
      addTitle(spaceOf(line), directiveTitle(type, isAttributes ? `{${rest}` : rest));
    } else if (quote !== undefined) {
      const title = line.slice(calloutStart.length).trim() || warningOf(calloutType);
      read.push(title === '' ? quote : `${quote}${titleLine(title)}\n${quote}`);
    } else if (marker !== undefined && !(mark.startsWith('===') && quoted === '')) {
      const indent = spaceOf(line);
      const end = bodyEnd(lines, at + 1, widthOf(indent) + 4);
      addTitle(indent, quoted === '' ? warningOf(type) : quoted.slice(1, -1));
      const body = lines.slice(at + 1, end).map((one) => one.replace(/^(?: {1,4}|\t)/, ''));
      for (const one of readBlockMarks(body, nesting + 1)) read.push(one);
      read.push('');
      at = end - 1;
    } else if (containers > 0 && /^@tab\s/.test(line)) addTitle('', line.replace(/^@tab\s+/, ''));
    else {
      fence = fenceOf(line);
      read.push(line);
    }
  }
  return read;
}

/** Returns the title of a directive or container, from the text after its name. */
function directiveTitle(name: string, rest: string): string {
  const attributes = /\{([^{}\n]*)\}/.exec(rest)?.[1] ?? '';
  const written = attributeOf(attributes, ['title', 'label', 'summary']);
  const bracketed = /^\s*\[([^\]\n]*)\]/.exec(rest)?.[1];
  const text = (bracketed ?? rest.replace(/\{[^{}\n]*\}/g, '')).trim();
  const isPath =
    (!/\s/.test(text) && /[./]/.test(text)) || /^(?:figure|grid|code-group)$/.test(name);
  if (written !== '' || (text !== '' && /\p{L}/u.test(text) && !isPath)) return written || text;
  return warningOf(`${name} ${attributes}`);
}

/** Returns the index after the last line that is indented by at least `width`. Blank lines may be between these. */
function bodyEnd(lines: readonly string[], start: number, width: number): number {
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (widthOf(line) < width) break;
    end = at + 1;
  }
  return end;
}

function dedent(
  line: string,
  component: { readonly indent: number; strip: number | null } | undefined,
): string {
  const width = widthOf(line);
  if (component === undefined || line.trim() === '') return line;
  const isMark = line.trim() === contentEnd || line.trim() === contentStart;
  if (!isMark) component.strip ??= Math.max(0, width - component.indent);
  const strip = Math.min(component.strip ?? 0, Math.max(0, width - component.indent));
  return line.startsWith('\t') ? line.replace(/^\t/, '') : line.slice(strip);
}

function widthOf(line: string): number {
  return spaceOf(line).replaceAll('\t', '    ').length;
}

/** Returns the white space at the start of a line. */
function spaceOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
