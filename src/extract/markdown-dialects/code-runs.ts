/** A part of a Markdown text, as lines. */
export interface Run {
  readonly isCode: boolean;
  readonly lines: string[];
}

const directive = /^\s*(`{3,}|~{3,}|:{3,})\{([\w:-]+)\}/;
/** Directives of MyST whose content is Markdown. The content of others is code or data. */
const textDirective =
  /^(?:note|warning|tip|hint|important|attention|caution|danger|error|seealso|admonition|topic|sidebar|dropdown|card|card-carousel|grid|grid-item|grid-item-card|tab-set|tab-item|margin|epigraph|versionadded|versionchanged|deprecated|div|exercise|solution|theorem|aside|details|figure|tabs|tab|group-tab)$/;

/** Whether the line opens a directive of MyST that contains text, such as ```` ```{note} ````. */
export function opensTextDirective(line: string): boolean {
  return textDirective.test(directive.exec(line)?.[2] ?? '');
}

/** Lines below which an indented line is not code: items of lists, admonitions, tags of components and templates. */
const context =
  /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|!!!|\?\?\?|===|:::|export |import |<\/?[A-Z]|\{[{%]|\[\^)/;

/** Splits a text into code and other lines. The lines of directives that contain text are not code. */
export function splitCode(lines: readonly string[]): Run[] {
  const runs: Run[] = [];
  let fence = '';
  /** Fences of the open directives that contain text. */
  const directives: string[] = [];
  let isAfterBlank = true;
  let isIndentedCode = false;
  let hasContext = false;
  for (const line of lines) {
    const isBlank = line.trim() === '';
    let isCode = fence !== '';
    if (isCode) {
      if (closesFence(line, fence)) fence = '';
    } else {
      const opened = fenceOf(line);
      const open = directives.at(-1);
      const isDirective = opensTextDirective(line);
      fence = isDirective ? '' : opened;
      if (open !== undefined && closesFence(line, open)) {
        directives.pop();
        fence = '';
      } else if (isDirective && opened !== '') directives.push(opened);
      const isIndented: boolean =
        /^(?: {4}|\t)/.test(line) && !hasContext && (isAfterBlank || isIndentedCode);
      isCode = fence !== '' || (isIndented && !isBlank);
      isIndentedCode = isIndented && fence === '';
      if (!isBlank && !/^\s/.test(line)) hasContext = context.test(line);
    }
    const run = runs.at(-1);
    if (run?.isCode === isCode) run.lines.push(line);
    else runs.push({ isCode, lines: [line] });
    isAfterBlank = isBlank;
  }
  return runs;
}

/** Returns the fence that opens a code block, or ''. */
export function fenceOf(line: string): string {
  const [start = '', fence = ''] = /^\s*(?:>\s?)*(`{3,}|~{3,})/.exec(line) ?? [];
  return fence.startsWith('`') && line.includes('`', start.length) ? '' : fence;
}

export function closesFence(line: string, fence: string): boolean {
  const written = line.replace(/^[\s>]+/, '').trimEnd();
  return written.length >= fence.length && written === fence.charAt(0).repeat(written.length);
}
