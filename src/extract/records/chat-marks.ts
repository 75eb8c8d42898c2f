import { decodeEntities } from '../html/decode-entities.ts';
import { linkText } from '../link-address.ts';

/** References and links of a message in Slack's format, such as `<@U07A>` and `<https://a.example|label>`. */
const reference = /<([@#!]?)([^<>|\n]{1,2000})(?:\|([^<>\n]{0,2000}))?>/g;
const code = /(```[^`]*```|`[^`\n]*`)/;
const emphasis = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,500})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
const struck = /(?<![\p{L}\p{N}~])~(?=\S)[^~\n]{1,500}(?<=\S)~(?![\p{L}\p{N}~])/gu;

/** References that only a chat program writes. */
const certainReference = /<(?:@[UW][A-Z\d]{2,20}|#C[A-Z\d]{2,20}\||https?:\/\/[^<>|\s]{1,2000}\|)/;

/** Whether a text outside a message, such as a cell of a table, is certainly in Slack's format. */
export function hasChatMarks(text: string): boolean {
  return certainReference.test(text);
}

/** Returns the text of a message in Slack's format, as its readers see it. Leaves code unchanged. */
export function readChatMarks(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .split(code)
    .map((part, index) => {
      const isCode = index % 2 === 1;
      const written = part.replace(reference, (whole, mark: string, target: string, label = '') =>
        referenceText({ whole, mark, target, label: String(label) }, names),
      );
      const plain = isCode ? written : written.replace(struck, '').replace(emphasis, '$2');
      return decodeEntities(plain);
    })
    .join('');
}

interface Reference {
  readonly whole: string;
  readonly mark: string;
  readonly target: string;
  readonly label: string;
}

function referenceText(
  { whole, mark, target, label }: Reference,
  names: ReadonlyMap<string, string>,
): string {
  if (mark === '@') return `@${label.replace(/^@/, '') || (names.get(target) ?? target)}`;
  if (mark === '#') return `#${label.replace(/^#/, '') || (names.get(target) ?? target)}`;
  if (mark === '!') return label || `@${target.replace(/\^.*/, '')}`;
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(target)) return whole;
  return linkText(label || target.replace(/^(?:mailto|tel):/i, ''), target);
}
