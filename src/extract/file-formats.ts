interface FileFormat {
  /** Name of the format in messages and in the documentation. */
  readonly label: string;
  /** Media type that is stored with a document. Downloads of the document use it too. */
  readonly mimeType: string;
  readonly extensions: readonly string[];
  /** Whether the files are text without a signature. For such files, only the file extension shows the format. */
  readonly isText?: boolean;
}

const officeDocument = 'application/vnd.openxmlformats-officedocument';

/** Supported formats. Messages list them in this order. The dashboard uses this file, too, so it imports nothing. */
export const fileFormats = {
  pdf: {
    label: 'PDF',
    mimeType: 'application/pdf',
    extensions: ['.pdf'],
  },
  docx: {
    label: 'DOCX',
    mimeType: `${officeDocument}.wordprocessingml.document`,
    extensions: ['.docx'],
  },
  txt: {
    label: 'TXT',
    mimeType: 'text/plain',
    extensions: ['', '.txt', '.text', '.log'],
    isText: true,
  },
  csv: {
    label: 'CSV',
    mimeType: 'text/csv',
    extensions: ['.csv', '.tsv'],
    isText: true,
  },
  markdown: {
    label: 'Markdown',
    mimeType: 'text/markdown',
    extensions: ['.md', '.markdown', '.mdx'],
    isText: true,
  },
  html: {
    label: 'HTML',
    mimeType: 'text/html',
    extensions: ['.html', '.htm', '.xhtml'],
    isText: true,
  },
  xlsx: {
    label: 'XLSX',
    mimeType: `${officeDocument}.spreadsheetml.sheet`,
    extensions: ['.xlsx', '.xlsm'],
  },
  pptx: {
    label: 'PPTX',
    mimeType: `${officeDocument}.presentationml.presentation`,
    extensions: ['.pptx', '.pptm'],
  },
  odt: { label: 'ODT', mimeType: 'application/vnd.oasis.opendocument.text', extensions: ['.odt'] },
  rtf: { label: 'RTF', mimeType: 'application/rtf', extensions: ['.rtf'] },
  epub: { label: 'EPUB', mimeType: 'application/epub+zip', extensions: ['.epub'] },
  eml: { label: 'EML', mimeType: 'message/rfc822', extensions: ['.eml'], isText: true },
  json: {
    label: 'JSON',
    mimeType: 'application/json',
    extensions: ['.json'],
    isText: true,
  },
  jsonl: {
    label: 'JSONL',
    mimeType: 'application/jsonl',
    extensions: ['.jsonl', '.ndjson'],
    isText: true,
  },
  png: { label: 'PNG', mimeType: 'image/png', extensions: ['.png'] },
  jpeg: { label: 'JPEG', mimeType: 'image/jpeg', extensions: ['.jpg', '.jpeg'] },
  webp: { label: 'WebP', mimeType: 'image/webp', extensions: ['.webp'] },
  tiff: { label: 'TIFF', mimeType: 'image/tiff', extensions: ['.tif', '.tiff'] },
} as const satisfies Readonly<Record<string, FileFormat>>;

export type FileType = keyof typeof fileFormats;

/** File types that only OCR can read. */
export type ImageType = 'png' | 'jpeg' | 'webp' | 'tiff';

const formats: Readonly<Record<FileType, FileFormat>> = fileFormats;

/** Returns whether only OCR can read files of the type. */
export function isImageType(type: FileType): type is ImageType {
  return fileFormats[type].mimeType.startsWith('image/');
}

/** Whether a file of a folder, repository or bucket should become a document, judged by its name. Images should not. */
export function isDocumentName(fileName: string): boolean {
  const type = fileTypeOfName(fileName);
  return type !== null && !isImageType(type);
}

/** Returns the labels of all supported formats, to use in messages. */
export const supportedFormats = Object.values(fileFormats)
  .map(({ label }) => label)
  .join(', ');

/** Returns the error message for a file whose content is not of the format of its extension. */
export function damagedFileProblem(type: FileType): string {
  return `The file is damaged or incomplete: its content is not ${fileFormats[type].label}`;
}

/** Returns the media type that is stored with a document and sent when it is downloaded. */
export function mimeTypeOf(type: FileType): string {
  return fileFormats[type].mimeType;
}

const fileTypes = Object.keys(fileFormats) as FileType[];

/**
 * Returns the file type that belongs to the MIME type of a stored document.
 * @throws Error when no format has this MIME type
 */
export function fileTypeFromMimeType(mimeType: string): FileType {
  const type = fileTypes.find((candidate) => fileFormats[candidate].mimeType === mimeType);
  if (type === undefined) throw new Error(`No reader for ${mimeType}`);
  return type;
}

/** Whether files of the type are text without a signature. For such files, only the file extension shows the format. */
export function isTextFormat(type: FileType): boolean {
  return formats[type].isText === true;
}

/**
 * Returns the file type that the extension of a file name claims, or null if the extension is unknown. A name without
 * an extension counts as text.
 */
export function fileTypeOfName(fileName: string): FileType | null {
  const extension = extensionOf(fileName);
  return fileTypes.find((type) => formats[type].extensions.includes(extension)) ?? null;
}

/** Returns the extension of a file name in lower case, such as `.pdf`, or ''. */
export function extensionOf(fileName: string): string {
  return /[^./\\](\.[^./\\\s]+)\s*$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}
