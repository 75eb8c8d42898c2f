import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ExtractError } from '../extracted-text.ts';
import { grayFile } from './gray-file.ts';
import { readGrayPng } from './gray-png.ts';
import { languageDataDirectories } from './ocr-language-data.ts';
import { paintImage } from './paint-image.ts';

/** Recognizes the text of images. */
export interface OcrEngine {
  /**
   * Returns the recognized words with their positions, in Tesseract's format: a table with tab-separated values.
   * @param image a file in PNG, JPEG, WebP, TIFF or PNM.
   * @throws ExtractError CORRUPT_FILE when the image cannot be decoded.
   */
  recognize(image: Uint8Array, options: RecognizeOptions): string;
}

interface RecognizeOptions {
  /** Exif orientation, from 1 (upright) to 8. */
  readonly orientation?: number;
  readonly dotsPerInch?: number;
  /** Factor by which the image is enlarged. The returned positions are those in the enlarged image. */
  readonly scale?: number;
}

const lstmOnly = 1;
const automaticLayout = '3';
const grayKind = 1;
const maxLanguageDataBytes = 64 * 1024 * 1024;

/**
 * Starts Tesseract as a WebAssembly module. The module decodes hostile images in its own memory.
 * @throws ExtractError UNSUPPORTED_FILE when the engine or the data of a language is not installed.
 */
export async function startOcrEngine(languages: readonly string[]): Promise<OcrEngine> {
  const tesseract = await loadTesseract();
  for (const language of languages) {
    tesseract.FS.writeFile(`${language}.traineddata`, await readLanguageData(language));
  }
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages.join('+'), lstmOnly, undefined) !== 0) {
    throw new ExtractError(
      'UNSUPPORTED_FILE',
      `The OCR data of ${languages.join(', ')} cannot be used. Install other language data.`,
    );
  }
  api.SetVariable('tessedit_pageseg_mode', automaticLayout);
  const setImage = (image: Uint8Array, orientation: number) => {
    tesseract.FS.writeFile('/input', image);
    const isRead = api.SetImageFile(orientation, 0) === 0;
    tesseract.FS.unlink('/input');
    if (!isRead) throw unreadable();
  };
  return {
    recognize(image, { orientation = 1, dotsPerInch, scale = 1 }) {
      setImage(image, orientation);
      if (scale > 1) {
        api.WriteImage(grayKind);
        const enlarged = enlarge(tesseract.FS.readFile('/image.png'), scale);
        if (enlarged !== null) setImage(enlarged, 1);
      }
      // If no resolution is set, Tesseract guesses it.
      if (dotsPerInch !== undefined) api.SetSourceResolution(Math.round(dotsPerInch));
      if (api.Recognize(null) !== 0) throw unreadable();
      const table = api.GetTSVText(0);
      api.Clear();
      return table;
    },
  };
}

async function loadTesseract() {
  const silent = { print: () => undefined, printErr: () => undefined };
  try {
    const { default: start } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
    return await start(silent);
  } catch (error) {
    throw new ExtractError(
      'UNSUPPORTED_FILE',
      'OCR is not installed. Install the optional packages with `npm ci --include=optional`.',
      { cause: error },
    );
  }
}

/** Returns the data of a language, from the npm package or from an installation of Tesseract on this computer. */
async function readLanguageData(language: string): Promise<Uint8Array> {
  const require = createRequire(import.meta.url);
  const name = `${language}.traineddata`;
  try {
    const path = require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${name}.gz`);
    return gunzipSync(await readFile(path), { maxOutputLength: maxLanguageDataBytes });
  } catch {
    for (const directory of languageDataDirectories()) {
      const data = await readFile(join(directory, name)).catch(() => null);
      if (data !== null && data.length <= maxLanguageDataBytes) return data;
    }
  }
  throw new ExtractError(
    'UNSUPPORTED_FILE',
    `OCR has no data for the language ${language}. Install it, such as Debian's tesseract-ocr-${language}.`,
  );
}

/**
 * Returns an enlarged image. Returns null if `readGrayPng` cannot read the image, because it has only a few gray
 * levels. OCR then reads the image in its own size.
 */
function enlarge(png: Uint8Array, scale: number): Uint8Array | null {
  const source = readGrayPng(png);
  if (source === null) return null;
  const width = Math.round(source.width * scale);
  const height = Math.round(source.height * scale);
  const { bytes, pixels } = grayFile({ width, height });
  paintImage({ width, height, data: pixels }, source, [width, 0, 0, -height, 0, height]);
  return bytes;
}

function unreadable(): ExtractError {
  return new ExtractError('CORRUPT_FILE', 'The image is damaged, animated or of an unknown kind.');
}
