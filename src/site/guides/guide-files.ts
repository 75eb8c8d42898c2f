import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guidesPath, type MenuGroup } from '../page.ts';

/** A Markdown file below `docs`. */
export interface GuideFile {
  /** Path below `docs`, such as `guides/widget.md`. */
  readonly file: string;
  /** Address of its page. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** The folder `docs` of the repository. The bundle and the image contain a copy. */
export const docsDirectory = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** The page that lists the guides. */
const indexFile = 'README.md';

/** Returns the paths of all files below `docs`. */
export async function listDocs(): Promise<readonly string[]> {
  const names = await readdir(docsDirectory, { recursive: true });
  return names.map((name) => name.replaceAll('\\', '/')).sort();
}

/**
 * Reads the Markdown files among the given paths. The index comes first, the others in the order of the index, then
 * those that it does not name.
 */
export async function readGuideFiles(docs: readonly string[]): Promise<readonly GuideFile[]> {
  const paths = docs.filter((name) => name.endsWith('.md'));
  const files = await Promise.all(paths.map(readGuideFile));
  const listed = linksOf(files.find(({ file }) => file === indexFile)?.markdown ?? '');
  const place = ({ file }: GuideFile) => {
    if (file === indexFile) return -1;
    const index = listed.indexOf(file);
    return index === -1 ? listed.length : index;
  };
  return files.sort((a, b) => place(a) - place(b));
}

async function readGuideFile(file: string): Promise<GuideFile> {
  const markdown = await readFile(docsDirectory + file, 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? file;
  return { file, path: pathOfGuide(file), title, markdown };
}

/** Returns the address of the page of a file: that of its folder for `README.md`. */
function pathOfGuide(file: string): string {
  const name = file.replace(/(?:^|\/)README\.md$/, '').replace(/\.md$/, '');
  return name === '' ? guidesPath : `${guidesPath}/${name}`;
}

/** Returns the menu: a group for each bold row of the index, with the files that the rows below it link to. */
export function menuOfGuides(files: readonly GuideFile[]): readonly MenuGroup[] {
  const index = files.find(({ file }) => file === indexFile);
  const groups = [{ title: 'Documentation', links: index === undefined ? [] : [index] }];
  for (const line of index?.markdown.split('\n') ?? []) {
    const title = /^\| \*\*(.+?)\*\*/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, links: [] });
    const known = groups.flatMap(({ links }) => links);
    const linked = files.filter((entry) => linksOf(line).includes(entry.file));
    groups.at(-1)?.links.push(...linked.filter((entry) => !known.includes(entry)));
  }
  return groups.filter(({ links }) => links.length > 0);
}

function linksOf(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([\w/-]+\.md)/g)].map(([, target = '']) => target);
}

/**
 * Returns the address for a link of a guide: that of another guide, or an address on the web. Returns null for files
 * that are no guides, which the service does not serve.
 */
export function resolveGuideLink(from: string, target: string): string | null {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target;
  const [path = '', fragment] = target.split('#');
  if (path.startsWith('/')) return target;
  const file = resolveGuideFile(from, path);
  if (file.startsWith('..') || !file.endsWith('.md')) return null;
  return pathOfGuide(file) + (fragment === undefined ? '' : `#${fragment}`);
}

/** Returns the path below `docs` of a file that a guide names. */
export function resolveGuideFile(from: string, target: string): string {
  return posix.join(posix.dirname(from), target);
}
