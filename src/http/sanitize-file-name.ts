/** Maximum length of a document name in code points. */
const maxLength = 255;

/**
 * Returns the document name for an uploaded file: the last segment of its path, without invisible, line-breaking and
 * bidirectional control characters. Returns '' if no character remains. Never use the name as a path.
 */
export function sanitizeFileName(name: string): string {
  const sanitized = name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .trim();
  return truncateFileName(sanitized === '.' || sanitized === '..' ? '' : sanitized);
}

/** Truncates a name but keeps its extension, because the extension determines the format of a text file. */
function truncateFileName(name: string): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const extension = [...(/\.\w{1,10}$/.exec(name)?.[0] ?? '')];
  return [...characters.slice(0, maxLength - extension.length), ...extension].join('');
}
