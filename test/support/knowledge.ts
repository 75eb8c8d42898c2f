import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import type { Document } from '../../src/domain/knowledge/documents.ts';
import type { TestService } from './service.ts';
import { waitUntil } from './wait-until.ts';

/** Creates documents in a project and waits until each is READY or FAILED. */
export async function addDocuments(
  { system }: TestService,
  projectId: string,
  contents: Readonly<Record<string, string>>,
): Promise<Document[]> {
  const created = await Promise.all(
    Object.entries(contents).map(([name, content]) =>
      createDocument(system, { projectId, name, content }),
    ),
  );
  return waitForDocuments(
    { system },
    projectId,
    created.map(({ id }) => id),
  );
}

/** Waits until no document is PROCESSING. Returns the documents. */
export async function waitForDocuments(
  { system }: Pick<TestService, 'system'>,
  projectId: string,
  ids: readonly string[],
): Promise<Document[]> {
  const read = () =>
    system.db.document.findMany({
      where: { projectId, id: { in: [...ids] }, status: { not: 'PROCESSING' } },
      orderBy: { id: 'asc' },
    });
  await waitUntil(async () => (await read()).length === ids.length, {
    timeoutMs: 60_000,
    intervalMs: 20,
  });
  return read();
}

/** Waits until searches of the project are ranked in memory. An earlier search must have started to load the index. */
export async function waitForProjectIndex(
  { adapters }: Pick<TestService, 'adapters'>,
  projectId: string,
): Promise<void> {
  const { id: modelId } = await adapters.models.servingEmbedding();
  const isLoaded = () => adapters.projectIndexes.find({ projectId, modelId }) !== null;
  await waitUntil(isLoaded, { timeoutMs: 20_000, intervalMs: 20 });
}
