/**
 * Returns a text as one line, without characters that nobody sees: controls, zero-width spaces, bidi controls, tags and
 * fillers. Keeps joiners within Arabic and Indic words and within emoji, and selectors of the form of emoji.
 */
export function visibleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** All characters without a glyph. Joiners and selectors of emoji only where they change no glyph. */
const invisible = new RegExp(
  [
    String.raw`(?![\u200c\u200d\ufe0e\ufe0f])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]`,
    String.raw`(?<![\p{Script=Arabic}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]`,
    String.raw`[\u200c\u200d](?![\p{Script=Arabic}\p{Lo}\p{Extended_Pictographic}])`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  ].join('|'),
  'gu',
);
