import { runSql } from '../../platform/postgres/run-sql.ts';
import { readBlockSpans } from '../../text/block-spans.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { questionOfHeading } from './question-of-heading.ts';

const maxQuestions = 3;

/**
 * Returns up to three questions that the documents of the project answer, without a language model. They are made from
 * headings, at first one of each document. Reads at most 120 chunks.
 * @throws DomainError from `requireProject`
 */
export async function listExampleQuestions(
  context: Context,
  input: { readonly projectId: string },
): Promise<string[]> {
  const { id } = await requireProject(context, input.projectId, 'organization:manage');
  const sections = await runSql<SectionStart>(context.db, selectSections, [id]);
  const byDocument = new Map<string, Candidate[]>();
  for (const section of sections) {
    const candidate = candidateOf(section);
    if (candidate === null) continue;
    const others = byDocument.get(section.documentId) ?? [];
    byDocument.set(section.documentId, [...others, candidate]);
  }
  const documents = [...byDocument.values()].map((candidates) => candidates.sort(bestFirst));
  const ranks = Math.max(0, ...documents.map(({ length }) => length));
  const questions = Array.from({ length: ranks }, (_, rank) =>
    documents.flatMap((candidates) => candidates[rank] ?? []).sort(bestFirst),
  ).flat();
  return [...new Set(questions.map(({ question }) => question))].slice(0, maxQuestions);
}

interface Candidate {
  readonly question: string;
  /** 0 is the best: the author's own question, then a heading, then the title of a document. */
  readonly rank: number;
}

const bestFirst = (one: Candidate, other: Candidate) => one.rank - other.rank;

interface SectionStart {
  readonly documentId: string;
  readonly position: number;
  /** The first 1,000 characters of the chunk. */
  readonly content: string;
  readonly blocks: string;
}

/** Minimum length of the text below a heading, in UTF-16 units, so that there is something to quote. */
const minText = 40;

/** Returns null unless the chunk starts with headings and has enough text below the last one. */
function candidateOf({ position, content, blocks }: SectionStart): Candidate | null {
  const spans = readBlockSpans(blocks);
  const firstText = spans.findIndex(({ kind }) => kind !== 'heading');
  const heading = spans[firstText - 1];
  if (heading === undefined) return null;
  const title = content.slice(heading.start, heading.end);
  const text = content.slice(heading.end).trim();
  if (text.length < minText || spans[firstText]?.kind === 'code') return null;
  const question = questionOfHeading(title, text);
  if (question === null) return null;
  const isTitle = position === 0 && firstText === 1;
  return { question, rank: question.length <= title.length ? 0 : isTitle ? 2 : 1 };
}

/** Parameter: $1 project. The latest 12 of 1,000 documents that can be searched, with ten sections each. */
const selectSections = `
  select document.id as "documentId", section.*
  from (
    select id, attempt, created_at
    from (
      select id, attempt, created_at, status, deleted_at from grounded.documents
      where project_id = $1::uuid order by created_at desc, id desc limit 1000) latest
    where status = 'READY' and deleted_at is null
    order by created_at desc, id desc limit 12) document
  cross join lateral (
    select position, left(content, 1000) as content, left(blocks, 200) as blocks
    from grounded.chunks
    where project_id = $1::uuid and document_id = document.id and attempt = document.attempt
      and position < 40 and blocks like 'h%'
    order by position limit 10) section
  order by document.created_at desc, document.id desc, section.position`;
