import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { detectFileType } from '../../../extract/detect-file-type.ts';
import { ExtractError } from '../../../extract/extracted-text.ts';
import type { HtmlPage } from '../../../extract/html-page.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createUploadDirectory } from '../../../platform/storage/uploaded-file.ts';
import type { WebResponse } from '../../../platform/web/web-client.ts';
import type { Context } from '../../context.ts';
import { createDocument, uploadDocument } from '../../knowledge/create-document.ts';
import type { DocumentOutcome } from '../../knowledge/written-document.ts';

const maxExternalIdLength = 255;
const maxNameLength = 255;
const maxContentCharacters = 5_000_000;

export interface DocumentOwner {
  readonly projectId: string;
  readonly sourceId: string;
  readonly organizationId: string;
}

/** What a response contains: a page, a file of a supported format, or neither, and why. */
export type WebsiteContent =
  | { readonly type: 'page'; readonly page: HtmlPage }
  | { readonly type: 'file'; readonly name: string; readonly body: Buffer }
  | { readonly type: 'refused'; readonly reason: string };

/** Reads a response. Pages are read in a process of their own. */
export async function readContent(
  { extractor, signal }: Context,
  { organizationId }: DocumentOwner,
  url: string,
  { headers, body }: WebResponse,
): Promise<WebsiteContent> {
  const contentType = headers['content-type'] ?? '';
  const name = fileNameOf(url);
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(contentType);
  const type = detectFileType(body, name);
  if (!isHtml && type !== 'html') {
    if (type !== null && body.length > 0) return { type: 'file', name, body };
    return { type: 'refused', reason: `Unsupported format: ${contentType.slice(0, 80)}` };
  }
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const directory = await createUploadDirectory();
  try {
    const path = join(directory, 'page');
    await writeFile(path, body);
    const page = await extractor.readPage({ path, charset }, { signal, group: organizationId });
    return { type: 'page', page };
  } catch (error) {
    if (error instanceof ExtractError) return { type: 'refused', reason: error.message };
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the id of the page's document in the project: its address, shortened if it is too long. */
export function externalIdOf(url: string): string {
  if (url.length <= maxExternalIdLength) return url;
  const hash = createHash('sha256').update(url).digest('hex');
  return `${url.slice(0, maxExternalIdLength - hash.length - 1)}#${hash}`;
}

/**
 * Creates or replaces the document of an address. Returns why it is refused, if it is.
 * @throws DomainError QUOTA_EXCEEDED when the plan's storage is used up.
 */
export async function writeDocument(
  context: Context,
  { projectId, sourceId }: DocumentOwner,
  url: string,
  content: Exclude<WebsiteContent, { type: 'refused' }>,
): Promise<DocumentOutcome | { readonly reason: string }> {
  const externalId = externalIdOf(url);
  const existing = await context.db.document.findFirst({
    where: { projectId, externalId },
    select: { sourceId: true },
  });
  if (existing !== null && existing.sourceId !== sourceId) {
    return { reason: 'Another document of the project has this address as externalId' };
  }
  const input = { projectId, sourceId, externalId, sourceUrl: url };
  try {
    const { outcome } =
      content.type === 'page'
        ? await writePage(context, input, content.page)
        : await writeFileDocument(context, input, content);
    return outcome;
  } catch (error) {
    const isRefusal = error instanceof DomainError && refusalCodes.has(error.code);
    if (isRefusal) return { reason: error.message };
    throw error;
  }
}

const refusalCodes: ReadonlySet<string> = new Set([
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'VALIDATION_FAILED',
]);

interface DocumentInput extends Omit<DocumentOwner, 'organizationId'> {
  readonly externalId: string;
  readonly sourceUrl: string;
}

function writePage(context: Context, input: DocumentInput, page: HtmlPage) {
  if (page.markdown.length > maxContentCharacters) {
    throw new DomainError('PAYLOAD_TOO_LARGE', 'The text of the page is too long');
  }
  const name = page.title === '' ? fileNameOf(input.sourceUrl) : page.title;
  return createDocument(context, { ...input, name, content: page.markdown, isMarkdown: true });
}

async function writeFileDocument(
  context: Context,
  input: DocumentInput,
  { name, body }: { readonly name: string; readonly body: Buffer },
) {
  const directory = await createUploadDirectory();
  try {
    const path = join(directory, 'file');
    await writeFile(path, body);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const file = { name, path, sizeBytes: body.length, sha256, head: body };
    return await uploadDocument(context, { ...input, file });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the last part of the path, or the host. */
function fileNameOf(url: string): string {
  const { pathname, host } = new URL(url);
  const part = pathname.split('/').findLast(Boolean) ?? host;
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // Not valid percent-encoding: used as it is.
  }
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, ' ')
    .trim();
  return Array.from(clean === '' ? host : clean)
    .slice(-maxNameLength)
    .join('');
}
