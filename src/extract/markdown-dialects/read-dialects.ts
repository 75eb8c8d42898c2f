import { readBlockMarks } from './block-marks.ts';
import { fenceOf, splitCode } from './code-runs.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { closedComponents, codeLine, readInlineMarks } from './inline-marks.ts';
import { withoutModuleLines } from './module-lines.ts';

interface PlainMarkdown {
  readonly text: string;
  readonly frontMatter: FrontMatter | null;
}

/**
 * Returns a text of MDX, Hugo, Jekyll, GitBook, Docusaurus, MkDocs, MyST or Obsidian as Markdown: without program lines,
 * comments and marks, with the titles of tabs and admonitions as text. Leaves code unchanged.
 */
export function readDialects(source: string): PlainMarkdown {
  const whole = source.replace(/[\ufdd2-\ufdd4]/g, '');
  const frontMatter = readFrontMatter(whole);
  const body = whole.slice(frontMatter?.length ?? 0);
  if (!hasMarks.test(body)) return { text: body, frontMatter };
  const values = new Map(frontMatter?.values ?? []);
  const closed = closedComponents(body);
  const lines = splitCode(body.split('\n')).flatMap(({ isCode, lines }) => {
    if (isCode)
      return fenceOf(lines[0] ?? '') === '' ? lines.map((line) => codeLine + line) : lines;
    const text = withoutModuleLines(lines, values).join('\n');
    return readInlineMarks(text, { values, closed }).split('\n');
  });
  return { text: readBlockMarks(lines).join('\n'), frontMatter };
}

/** Matches at least one character sequence of every mark. Most Markdown files have no marks and are not parsed. */
const hasMarks = /[{}]|:::|%%|\[\[|\[!|<\/?[A-Z]|!!!|\?\?\?|===|^(?:im|ex)port\s/m;
