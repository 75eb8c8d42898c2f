interface FileFormat {
  readonly label: string;
  readonly mimeType: string;
  readonly extensions: readonly string[];
  /** Whether files of this format are text without a signature. Then only the extension shows the format. */
  readonly isText?: boolean;
}

const officeDocument = 'application/vnd.openxmlformats-officedocument';

/** Supported formats. Must be the same as the service's list in `src/extract/file-formats.ts`. */
export const fileFormats: Readonly<Record<string, FileFormat>> = {
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
};

export const supportedFormats = Object.values(fileFormats)
  .map(({ label }) => label)
  .join(', ');

/** Returns the name of the format that has this media type. */
export function formatLabel(mimeType: string): string {
  return (
    Object.values(fileFormats).find((format) => format.mimeType === mimeType)?.label ?? mimeType
  );
}
