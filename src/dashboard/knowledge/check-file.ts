import { saySize } from '../shell/say-size.ts';

export const formats = 'PDF, DOCX, TXT, CSV or Markdown';

/** As the service tells text formats; PDF and DOCX it knows by their content. */
const textFormats = ['txt', 'text', 'log', 'csv', 'tsv', 'md', 'markdown', 'mdx'];

/** What the picker offers first. */
export const pickedFormats = ['pdf', 'docx', ...textFormats].map((name) => `.${name}`).join(',');

/** The largest file that may be uploaded. */
export interface FileLimit {
  readonly bytes: number;
  /** Whose limit it is. */
  readonly plan: string;
}

/** Why the service would refuse a file, as far as that is plain before it is sent; else null. */
export async function whyRefused(file: File, limit: FileLimit | null): Promise<string | null> {
  if (limit !== null && file.size > limit.bytes) {
    return `Larger than the ${saySize(limit.bytes)} that the ${limit.plan} plan allows for a file.`;
  }
  if (file.size === 0) return 'The file is empty.';
  const extension = /[^./\\]\.([^./\\\s]+)\s*$/.exec(file.name)?.[1]?.toLowerCase();
  if (extension === undefined || textFormats.includes(extension)) return null;
  const mayBeRead = await hasSignature(file).catch(() => true);
  return mayBeRead ? null : `Not a file of the formats ${formats}.`;
}

/** Of PDF anywhere in the beginning, or of the archive that DOCX is. */
async function hasSignature(file: File): Promise<boolean> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, 1_024).arrayBuffer());
  return head.includes('%PDF-') || head.startsWith('PK');
}
