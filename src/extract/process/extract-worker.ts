import { GitError, TooLarge } from '../../platform/git/git-error.ts';
import { counted } from '../../text/counted.ts';
import { type Chunk, chunkText } from '../chunks/chunk-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText, type ExtractWarning } from '../extracted-text.ts';
import type { FileType } from '../file-formats.ts';
import { createPageRecognizer, type PageRecognizer } from '../ocr/page-recognizer.ts';
import { denyNetwork } from './deny-network.ts';
import type { ExtractRequest, ExtractResponse } from './extract-protocol.ts';

// Entry point of the sandboxed child process that parses untrusted files. See `extractor-process.ts`.
denyNetwork();
serve();

function serve(): void {
  process.on('message', async (request: ExtractRequest) => {
    // If the code that reads the file cannot be loaded, the process exits, because this is not an error of the file.
    const read = await loadHandler(request).catch(() => process.exit(1));
    process.send?.({ outcome: 'started' } satisfies ExtractResponse);
    process.send?.(await handleRequest(request, read));
  });
  process.on('disconnect', () => process.exit());
  // Signals are ignored, because a terminal also sends Ctrl-C to child processes. The parent decides when this process
  // exits.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  // For damaged files, pdf.js may reject promises after its call has returned. These rejections must not end the
  // process.
  process.on('unhandledRejection', () => undefined);
}

type Handler = (bytes: Uint8Array) => Promise<ExtractResponse>;

/**
 * Imports the code that reads the file. The response `started` is sent after this import, so it also means that the
 * code is available.
 */
async function loadHandler({
  type,
  limits,
  charset,
  ocr,
  packLimits,
}: ExtractRequest): Promise<Handler> {
  if (type === 'page') {
    const { readHtmlPage } = await import('../html/html-page.ts');
    return async (bytes) => ({
      outcome: 'page',
      page: await readHtmlPage(bytes, limits, charset),
    });
  }
  if (type === 'sitemap') {
    const { readSitemap } = await import('../html/sitemap.ts');
    return async (bytes) => ({ outcome: 'sitemap', sitemap: readSitemap(bytes) });
  }
  if (type === 'pack') {
    if (packLimits === undefined) throw new Error('A pack needs limits');
    const { readPack } = await import('../../platform/git/pack-file.ts');
    return async (bytes) => ({
      outcome: 'pack',
      objects: readPack(Buffer.from(bytes.buffer), packLimits),
    });
  }
  const read = await loadReader(type);
  return async (bytes) => {
    const recognizer = createPageRecognizer(ocr, limits, (isRunning) => {
      process.send?.({ outcome: 'ocr', isRunning } satisfies ExtractResponse);
    });
    const text = await read(bytes, limits, recognizer);
    const chunks = chunkText(text);
    requireChunkLimits(chunks, limits);
    const warnings = [...(text.warnings ?? []), ...damagedCharacters(text.text)];
    return { outcome: 'chunks', chunks, warnings };
  };
}

async function handleRequest(
  { sizeBytes }: ExtractRequest,
  read: Handler,
): Promise<ExtractResponse> {
  const bytes = await readInput(sizeBytes);
  try {
    return await read(bytes);
  } catch (error) {
    if (error instanceof ExtractError) {
      return { outcome: 'unreadable', code: error.code, message: error.message };
    }
    if (error instanceof GitError) {
      const code = error instanceof TooLarge ? 'TOO_LARGE' : 'CORRUPT_FILE';
      return { outcome: 'unreadable', code, message: error.message };
    }
    return { outcome: 'unreadable', code: 'CORRUPT_FILE', message: 'The file is damaged.' };
  }
}

/** Reads one file from stdin. stdin stays open for the next file. */
async function readInput(sizeBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  if (sizeBytes === 0) return bytes;
  return new Promise((resolve) => {
    let filled = 0;
    const onData = (part: Uint8Array) => {
      bytes.set(part, filled);
      filled += part.length;
      if (filled < sizeBytes) return;
      process.stdin.off('data', onData).pause();
      resolve(bytes);
    };
    process.stdin.on('data', onData).resume();
  });
}

/** Returns a warning if some characters could not be decoded. */
function damagedCharacters(text: string): ExtractWarning[] {
  const count = text.split('\ufffd').length - 1;
  if (count === 0) return [];
  const message = `${counted(count, 'character')} could not be read, and ${count === 1 ? 'is' : 'are'} shown as \ufffd. Save the file again, as UTF-8 if it is a text file.`;
  return [{ code: 'DAMAGED_TEXT', message }];
}

/** @throws ExtractError EMPTY_TEXT if there are no chunks, TOO_LARGE if there are too many or too long chunks. */
function requireChunkLimits(chunks: readonly Chunk[], limits: ExtractLimits): void {
  if (chunks.length === 0) throw new ExtractError('EMPTY_TEXT', 'The document contains no text');
  const length = chunks.reduce(
    (sum, { content, context }) => sum + content.length + context.length,
    0,
  );
  if (chunks.length > limits.chunks || length > limits.embeddedCharacters) {
    throw new ExtractError(
      'TOO_LARGE',
      `The document has more than ${limits.chunks} chunks, or more than ${limits.embeddedCharacters} characters with the headings of each chunk.`,
    );
  }
}

type Reader = (
  bytes: Uint8Array,
  limits: ExtractLimits,
  recognizer: PageRecognizer,
) => ExtractedText | Promise<ExtractedText>;

/** Imports the reader of a file type on first use, so that the process starts fast. */
async function loadReader(type: FileType): Promise<Reader> {
  switch (type) {
    case 'pdf':
      return (await import('../pdf/pdf.ts')).readPdf;
    case 'docx':
      return (await import('../office/docx.ts')).readDocx;
    case 'csv':
      return (await import('../tables/csv.ts')).readCsv;
    case 'markdown':
      return (await import('../text-formats/markdown.ts')).readMarkdown;
    case 'html':
      return (await import('../html/html.ts')).readHtml;
    case 'xlsx':
      return (await import('../tables/xlsx.ts')).readXlsx;
    case 'pptx':
      return (await import('../office/pptx.ts')).readPptx;
    case 'odt':
      return (await import('../open-document/odt.ts')).readOdt;
    case 'rtf':
      return (await import('../rtf/rtf.ts')).readRtf;
    case 'epub':
      return (await import('../epub/epub.ts')).readEpub;
    case 'eml':
      return (await import('../text-formats/eml.ts')).readEml;
    case 'json':
      return (await import('../text-formats/json.ts')).readJson;
    case 'jsonl':
      return (await import('../text-formats/json.ts')).readJsonLines;
    case 'png':
    case 'jpeg':
    case 'webp':
    case 'tiff': {
      const { readImage } = await import('../ocr/image.ts');
      return (bytes, limits, recognizer) => readImage(type, bytes, limits, recognizer);
    }
    case 'txt':
      return (await import('../text-formats/txt.ts')).readTxt;
    default: {
      const unknownType: never = type;
      throw new Error(`No reader for file type ${String(unknownType)}`);
    }
  }
}
