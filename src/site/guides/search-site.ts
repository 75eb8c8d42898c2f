import { splitAtHeadings } from '../markdown.ts';
import { guidesPath } from '../page.ts';
import { chapters } from '../reference/reference-pages.ts';
import type { GuideFile } from './guide-files.ts';

export interface FoundSection {
  readonly path: string;
  /** Title of the page that contains the section. */
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

interface SearchedSection {
  readonly path: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  readonly words: { readonly title: readonly string[]; readonly text: readonly string[] };
}

const maxResults = 20;
const excerptLength = 200;

/** Maximum number of different words of a query that are searched. Anyone can search, and each word costs a pass. */
const maxWords = 10;

/** Decisions explain the guides to developers of the service, so they come after guides that fit as well. */
const decisionWeight = 0.4;

/** A word in a heading counts as much as this number of words in the text. */
const titleWeight = 8;

/**
 * Creates the search over the sections of all guides and the operations of the REST API. A section is found if it has
 * a word that begins with each word of the query.
 */
export function createSearch(files: readonly GuideFile[]): (query: string) => FoundSection[] {
  const sections = [...files.flatMap(sectionsOfGuide), ...sectionsOfReference()];
  return (query) => {
    const words = [...new Set(wordsOf(query))].slice(0, maxWords);
    if (words.length === 0) return [];
    return sections
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, maxResults)
      .map(({ section: { path, page, title, text } }) => ({
        ...{ path, page, title },
        excerpt: excerptOf(text, words),
      }));
  };
}

function sectionsOfGuide({ path, title, markdown }: GuideFile): SearchedSection[] {
  return splitAtHeadings(markdown).map(({ heading, id, text }) =>
    toSection({
      path: id === null ? path : `${path}#${id}`,
      page: title,
      title: heading ?? title,
      text,
    }),
  );
}

function sectionsOfReference(): SearchedSection[] {
  return chapters.flatMap(({ path, title, operations }) =>
    operations.map((operation) =>
      toSection({
        path: `${path}#${operation.operationId}`,
        page: `API reference: ${title}`,
        title: operation.summary,
        text: `${operation.method} ${operation.path} ${operation.description.replace(/\s+/g, ' ')}`,
      }),
    ),
  );
}

function toSection(section: Omit<SearchedSection, 'words'>): SearchedSection {
  return { ...section, words: { title: wordsOf(section.title), text: wordsOf(section.text) } };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Returns 0 if a word of the query is missing. Long sections do not gain by their length. */
function scoreOf({ path, words }: SearchedSection, query: readonly string[]): number {
  let score = 0;
  for (const word of query) {
    const count = (among: readonly string[]) => among.filter((own) => own.startsWith(word)).length;
    const found = count(words.title) * titleWeight + Math.min(count(words.text), 5);
    if (found === 0) return 0;
    score += found / Math.sqrt(1 + (words.text.length + words.title.length) / 100);
  }
  return path.startsWith(`${guidesPath}/decisions`) ? score * decisionWeight : score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.max(0, Math.min(...words.map((word) => Math.max(0, lower.indexOf(word)))));
  const start = first < excerptLength / 2 ? 0 : text.lastIndexOf(' ', first - 60) + 1;
  const end = start + excerptLength;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
