import { detectFileType } from '../../../extract/detect/detect-file-type.ts';
import { ExtractError } from '../../../extract/extracted-text.ts';
import { isImageType } from '../../../extract/file-formats.ts';
import type { HtmlPage } from '../../../extract/html/html-page.ts';
import type { Sitemap } from '../../../extract/html/sitemap.ts';
import { withTemporaryFile } from '../../../platform/storage/uploaded-file.ts';
import type { WebResponse } from '../../../platform/web/web-client.ts';
import type { Context } from '../../context.ts';
import type { DocumentOutcome } from '../../knowledge/written-document.ts';
import { cleanName, shortenExternalId, writeSourceDocument } from '../source-document.ts';

export interface DocumentOwner {
  readonly projectId: string;
  readonly sourceId: string;
  readonly organizationId: string;
}

/** Content of a response: a page, a file of a supported format, or the reason why it can be neither. */
export type WebsiteContent =
  | { readonly type: 'page'; readonly page: HtmlPage }
  | { readonly type: 'file'; readonly name: string; readonly body: Buffer }
  | { readonly type: 'refused'; readonly reason: string };

/** Reads the content of a response. Pages are read in a separate process. */
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
    if (type !== null && !isImageType(type) && body.length > 0) return { type: 'file', name, body };
    return { type: 'refused', reason: `Unsupported format: ${contentType.slice(0, 80)}` };
  }
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  return withFile(body, async (path) => {
    const page = await extractor.readPage({ path, charset }, { signal, group: organizationId });
    return { type: 'page', page };
  });
}

/** Reads a sitemap in a separate process. */
export function readSitemap(
  { extractor, signal }: Context,
  organizationId: string,
  body: Buffer,
): Promise<{ readonly type: 'sitemap'; readonly sitemap: Sitemap } | Refused> {
  return withFile(body, async (path) => {
    const sitemap = await extractor.readSitemap({ path }, { signal, group: organizationId });
    return { type: 'sitemap', sitemap };
  });
}

type Refused = { readonly type: 'refused'; readonly reason: string };

/**
 * Writes the bytes to a temporary file and calls `read` with its path. If the bytes cannot be read, returns the reason.
 */
async function withFile<Result>(
  body: Buffer,
  read: (path: string) => Promise<Result>,
): Promise<Result | Refused> {
  try {
    return await withTemporaryFile(body, read);
  } catch (error) {
    if (error instanceof ExtractError) return { type: 'refused', reason: error.message };
    throw error;
  }
}

/** Creates or replaces the document for an address. See `writeSourceDocument`. */
export function writeDocument(
  context: Context,
  { projectId, sourceId }: DocumentOwner,
  url: string,
  content: Exclude<WebsiteContent, { type: 'refused' }>,
): Promise<DocumentOutcome | { readonly reason: string }> {
  const input = { projectId, sourceId, externalId: shortenExternalId(url), sourceUrl: url };
  const name = documentNameOf(url, content);
  const text = content.type === 'file' ? content.body : content.page.markdown;
  return writeSourceDocument(context, { ...input, name, content: text });
}

/** Returns the name of the document of a page or file. */
export function documentNameOf(
  url: string,
  content: Exclude<WebsiteContent, { type: 'refused' }>,
): string {
  return content.type === 'file' ? content.name : content.page.title || fileNameOf(url);
}

/** Returns the last part of the path. If the path is empty, returns the host. */
function fileNameOf(url: string): string {
  const { pathname, host } = new URL(url);
  const part = pathname.split('/').findLast(Boolean) ?? host;
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // If the percent-encoding is invalid, the text is used without decoding.
  }
  return cleanName(name) || cleanName(host);
}
