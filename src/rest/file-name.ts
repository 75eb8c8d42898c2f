/** The contract's limit of a document's name, in code points. */
const maxLength = 255;

/**
 * The name under which an uploaded file is listed: the last part of a path, without characters that
 * are invisible, break lines or turn the reading direction. Never used as a path. Empty where nothing is left.
 */
export function cleanFileName(name: string): string {
  const visible = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .trim();
  return shorten(visible === '.' || visible === '..' ? '' : visible);
}

/** Keeps the extension, which tells text formats apart. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const extension = [...(/\.\w{1,10}$/.exec(name)?.[0] ?? '')];
  return [...characters.slice(0, maxLength - extension.length), ...extension].join('');
}
