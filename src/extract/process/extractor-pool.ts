import { createFairSlots } from '../../platform/fair-slots.ts';
import type { GitObject, PackLimits } from '../../platform/git/pack-file.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import { defaultExtractLimits, type ExtractLimits } from '../extract-limits.ts';
import { ExtractError } from '../extracted-text.ts';
import type { FileType } from '../file-formats.ts';
import type { HtmlPage } from '../html/html-page.ts';
import type { Sitemap } from '../html/sitemap.ts';
import { defaultOcrSettings, type OcrSettings } from '../ocr/ocr-settings.ts';
import type { ExtractedChunks } from './extract-protocol.ts';
import { type ExtractFile, spawnExtractorProcess } from './extractor-process.ts';
import { type ExtractResult, OcrLimitError } from './request-extraction.ts';
import { createTenantProcesses } from './tenant-processes.ts';

const defaultProcesses = 3;

/** Extracts the chunks of untrusted files in separate processes with resource limits. */
export interface Extractor {
  /**
   * Waits for a free process, extracts the text and splits it into chunks. Throws the signal's reason when the signal
   * aborts. Any error that is not an ExtractError means that a retry may succeed.
   * @throws ExtractError when the file cannot be read.
   */
  extract(
    file: { readonly path: string; readonly type: FileType; readonly ocr?: OcrSettings },
    options?: ExtractOptions,
  ): Promise<ExtractedChunks>;
  /**
   * Reads a web page. Works like `extract`.
   * @throws ExtractError when the page cannot be read.
   */
  readPage(
    page: { readonly path: string; readonly charset?: string },
    options?: ExtractOptions,
  ): Promise<HtmlPage>;
  /**
   * Reads a sitemap of a website. Works like `extract`.
   * @throws ExtractError when the sitemap cannot be read.
   */
  readSitemap(file: { readonly path: string }, options?: ExtractOptions): Promise<Sitemap>;
  /**
   * Reads a Git pack and returns its objects by their ids. Works like `extract`.
   * @throws ExtractError when the pack cannot be read.
   */
  readPack(
    pack: { readonly path: string; readonly packLimits: PackLimits },
    options?: ExtractOptions,
  ): Promise<Map<string, GitObject>>;
  /** Kills all processes. Running extractions fail. */
  stop(): Promise<void>;
}

interface ExtractOptions {
  readonly signal?: AbortSignal;
  /**
   * Tenant of the file. A process reads files of only one group. If there are several processes, one group never uses
   * all of them, so that other groups find a free process.
   */
  readonly group?: string;
}

/**
 * Creates an extractor. The extractor starts processes when they are needed, and stops a process after one minute
 * without work.
 */
export function startExtractor(
  options: { readonly processes?: number; readonly limits?: Partial<ExtractLimits> } = {},
): Extractor {
  const limits = { ...defaultExtractLimits, ...options.limits };
  const maxProcesses = options.processes ?? defaultProcesses;
  const children = createTenantProcesses(() => spawnExtractorProcess(limits), maxProcesses);
  const stopController = new AbortController();
  const slots = createFairSlots(maxProcesses);

  const run = (file: ExtractFile, options?: ExtractOptions): Promise<ExtractResult> =>
    inSpan('extract', { attributes: { 'grounded_chat.file.type': file.type } }, () =>
      extract(file, options),
    );
  const extract = async (
    file: ExtractFile,
    { signal, group = '' }: ExtractOptions = {},
  ): Promise<ExtractResult> => {
    const combinedSignal = AbortSignal.any(
      signal === undefined ? [stopController.signal] : [stopController.signal, signal],
    );
    combinedSignal.throwIfAborted();
    using _slot = await slots.acquire(group, combinedSignal);
    combinedSignal.throwIfAborted();
    return await orWithoutOcr(file, async (request) => {
      const child = children.acquire(group);
      try {
        return await child.extract(request, combinedSignal);
      } finally {
        children.release(child, group);
      }
    });
  };

  return {
    async extract(file, options) {
      const result = await run(file, options);
      if (result.outcome !== 'chunks') throw unexpectedResult();
      return result;
    },
    async readPage(page, options) {
      const result = await run({ ...page, type: 'page' }, options);
      if (result.outcome !== 'page') throw unexpectedResult();
      return result.page;
    },
    async readSitemap(file, options) {
      const result = await run({ ...file, type: 'sitemap' }, options);
      if (result.outcome !== 'sitemap') throw unexpectedResult();
      return result.sitemap;
    },
    async readPack(pack, options) {
      const result = await run({ ...pack, type: 'pack' }, options);
      if (result.outcome !== 'pack') throw unexpectedResult();
      return result.objects;
    },
    async stop() {
      stopController.abort(new Error('The extractor was stopped'));
      await children.stop();
    },
  };
}

/**
 * If the pictures of a PDF exceed a limit, reads the PDF again without OCR, so that the text of the other pages is not
 * lost.
 */
async function orWithoutOcr(
  file: ExtractFile,
  read: (file: ExtractFile) => Promise<ExtractResult>,
): Promise<ExtractResult> {
  try {
    return await read(file);
  } catch (error) {
    if (file.type !== 'pdf' || !(error instanceof OcrLimitError)) throw error;
    const ocr: OcrSettings = { ...defaultOcrSettings, ...file.ocr, mode: 'OFF' };
    return await read({ ...file, ocr }).catch((second: unknown) => {
      throw second instanceof ExtractError ? error : second;
    });
  }
}

function unexpectedResult(): Error {
  return new Error('The extraction process returned another result than was requested');
}
