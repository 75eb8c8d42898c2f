import { readFile, stat } from 'node:fs/promises';
import type { ExtractRequest, ExtractResponse } from './extract-message.ts';
import { ExtractError, type ExtractedText, type FileType } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';

// The entry of the child process that opens untrusted files; see `extract-child.ts`.
serve();

function serve(): void {
  process.on('message', async (request: ExtractRequest) => process.send?.(await answer(request)));
  process.on('disconnect', () => process.exit());
  // A terminal sends its interrupt to the children too; the parent decides when this one ends.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  // pdf.js leaves rejections behind in damaged files after it has answered.
  process.on('unhandledRejection', () => undefined);
}

async function answer({ path, type, limits }: ExtractRequest): Promise<ExtractResponse> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > limits.fileBytes) return tooLarge(limits);
    bytes = await readFile(path);
  } catch (error) {
    return { outcome: 'unavailable', message: String(error) };
  }
  try {
    return { outcome: 'text', extracted: await read(type, bytes, limits) };
  } catch (error) {
    if (error instanceof ExtractError) {
      return { outcome: 'unreadable', code: error.code, message: error.message };
    }
    return { outcome: 'unreadable', code: 'CORRUPT_FILE', message: 'The file is damaged.' };
  }
}

function tooLarge(limits: ExtractLimits): ExtractResponse {
  const message = `The file is larger than ${limits.fileBytes} bytes.`;
  return { outcome: 'unreadable', code: 'TOO_LARGE', message };
}

/** Each reader is loaded when its type first comes, which keeps the start of the process short. */
async function read(
  type: FileType,
  bytes: Uint8Array,
  limits: ExtractLimits,
): Promise<ExtractedText> {
  switch (type) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(bytes, limits);
    case 'docx':
      return (await import('./docx.ts')).readDocx(bytes, limits);
    case 'csv':
      return (await import('./csv.ts')).readCsv(bytes, limits);
    case 'markdown':
      return (await import('./markdown.ts')).readMarkdown(bytes, limits);
    case 'txt':
      return (await import('./txt.ts')).readTxt(bytes, limits);
    default: {
      const never: never = type;
      throw new Error(`No reader for ${String(never)}`);
    }
  }
}
