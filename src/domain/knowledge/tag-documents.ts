import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireValidDetails } from './document-details.ts';
import { lockDocument } from './lock-document.ts';
import { requireWritableProject } from './require-writable-project.ts';
import { updateDetails } from './update-details.ts';

export interface TagReport {
  /** Number of documents that have the tags now, also if they had them before. */
  readonly count: number;
  readonly failures: readonly TagFailure[];
}

/** A document whose tags were not changed. */
export interface TagFailure {
  readonly documentId: string;
  readonly message: string;
}

interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Adds tags to documents and removes others, at most 100 documents per call. Each document has its own transaction, so
 * that one that would have too many tags does not stop the others. Ignores unknown ids, ids of other projects and
 * repeated ids.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError VALIDATION_FAILED when a given tag is invalid.
 */
export async function tagDocuments(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly documentIds: readonly string[];
    readonly addTags?: readonly string[] | null;
    readonly removeTags?: readonly string[] | null;
  },
): Promise<TagReport> {
  const project = await requireWritableProject(context, input.projectId);
  const change = { add: validTags(input.addTags), remove: validTags(input.removeTags) };
  const failures: TagFailure[] = [];
  let count = 0;
  for (const documentId of new Set(input.documentIds.filter(isId))) {
    try {
      if (await tagDocument(context, project, documentId, change)) count += 1;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_FAILED') throw error;
      failures.push({ documentId, message: error.message });
    }
  }
  return { count, failures };
}

function validTags(tags: readonly string[] | null | undefined): readonly string[] {
  return requireValidDetails({ tags: tags ?? [] }).tags ?? [];
}

/** Returns false if the document does not exist in the project. */
function tagDocument(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  id: string,
  { add, remove }: TagChange,
): Promise<boolean> {
  return transaction(context, async (context) => {
    const document = await lockDocument(context, project, id);
    if (document === null) return false;
    const kept = document.tags.filter((tag) => !remove.includes(tag));
    const tags = requireValidDetails({ tags: [...kept, ...add] }).tags ?? [];
    await updateDetails(context, project, document, { tags });
    return true;
  });
}
