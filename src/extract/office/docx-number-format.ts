/** Formats `value` in a Word number format (ISO/IEC 29500-1, 17.18.59). Uses decimal digits for an unknown format. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return toRoman(value);
    case 'lowerRoman':
      return toRoman(value).toLowerCase();
    case 'upperLetter':
      return toLetters(value);
    case 'lowerLetter':
      return toLetters(value).toLowerCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(value);
  }
}

/** Converts a number to letters. After Z, Word repeats the letter: AA, BB, CC. */
function toLetters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

const romanNumerals: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

function toRoman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let remainder = value;
  let roman = '';
  for (const [letters, amount] of romanNumerals) {
    roman += letters.repeat(Math.floor(remainder / amount));
    remainder %= amount;
  }
  return roman;
}
