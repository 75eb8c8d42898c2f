import { ExtractError } from '../extracted-text.ts';
import { addressAfter } from '../link-address.ts';
import { hyperlinkTarget } from '../office/word-fields.ts';
import { markRaised } from '../raised-text.ts';
import type { RtfBlocks } from './rtf-blocks.ts';
import { createRtfDecoder } from './rtf-decoder.ts';
import { destinationOf, type RtfDestination } from './rtf-destinations.ts';
import { createRtfParagraphs } from './rtf-paragraphs.ts';
import { createRtfStyles } from './rtf-styles.ts';
import type { RtfToken } from './rtf-tokens.ts';

/** A field. Its instruction and its result are groups inside the group of the field. */
interface Field {
  instruction: string;
  result: string;
}

const maxFieldLength = 2_000;

interface Format {
  isHidden: boolean;
  isStruck: boolean;
  isRaised: boolean;
}

const plain: Format = { isHidden: false, isStruck: false, isRaised: false };

/** State that applies until the end of a group. */
interface Group extends Format {
  destination: RtfDestination;
  /** Number of fallback characters after `\u`, which are for older readers and are skipped. */
  unicodeSkip: number;
  font: number;
  /** `field` is the innermost field. `result` is the field whose result is being read. */
  field: Field | null;
  result: Field | null;
}

const maxGroupDepth = 1_000;

const characters: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  tab: ' ',
  line: '\n',
  lbr: '\n',
  '~': '\u00a0',
  _: '\u2011',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  nestcell: ', ',
  nestrow: '; ',
});

/** Reads the tokens of an RTF file one by one. */
export class RtfReader {
  /** Whether the group that contains the whole file has ended. */
  isComplete = false;
  /** Numbers of comments and of embedded objects. Their content is not read. */
  readonly leftOut = { comments: 0, embedded: 0 };
  readonly #blocks: RtfBlocks;
  readonly #styles = createRtfStyles();
  readonly #decoder = createRtfDecoder((text) => this.#addText(text));
  readonly #readParagraphWord: (word: string, value: number) => void;
  readonly #outerGroups: Group[] = [];
  #group: Group = {
    destination: 'text',
    unicodeSkip: 1,
    font: -1,
    field: null,
    result: null,
    ...plain,
  };
  #toSkip = 0;
  #isIgnorable = false;

  constructor(blocks: RtfBlocks) {
    this.#blocks = blocks;
    this.#readParagraphWord = createRtfParagraphs(blocks, this.#styles);
  }

  read(token: RtfToken): void {
    if (token.kind === 'bytes') return this.#addBytes(token.text);
    this.#decoder.flush();
    if (token.kind !== 'word') {
      this.#toSkip = 0;
      this.#isIgnorable = false;
      return token.kind === 'open' ? this.#open() : this.#close();
    }
    if (token.word === '*') {
      this.#isIgnorable = true;
      return;
    }
    const isDestination = this.#setDestination(token.word);
    this.#isIgnorable = false;
    if (this.#toSkip > 0 && token.word !== 'u') this.#toSkip -= 1;
    else if (!isDestination) this.#readWord(token.word, token.value);
  }

  #addBytes(text: string): void {
    if (this.#group.destination === 'skip') return;
    const skipped = Math.min(this.#toSkip, text.length);
    this.#toSkip -= skipped;
    this.#decoder.add(text.slice(skipped), this.#group.font);
  }

  #addText(text: string): void {
    const { destination, field, result, isHidden, isStruck, isRaised } = this.#group;
    if (destination === 'styles') this.#styles.addText(text);
    else if (destination === 'instruction') addTo(field, 'instruction', text);
    else if (isHidden || isStruck) return;
    else if (destination === 'skip' || destination === 'fonts') return;
    else if (destination === 'marker') this.#blocks.addMarker(text);
    else {
      addTo(result, 'result', text);
      this.#blocks.addText(isRaised ? markRaised(text) : text);
    }
  }

  #open(): void {
    if (this.#outerGroups.length >= maxGroupDepth) {
      throw new ExtractError('TOO_LARGE', 'The RTF is nested too deeply.');
    }
    this.#outerGroups.push(this.#group);
    this.#group = { ...this.#group };
    if (this.#group.destination === 'styles') this.#styles.startStyle();
  }

  #close(): void {
    const outer = this.#outerGroups.pop();
    if (outer === undefined) return;
    const { destination, result } = this.#group;
    if (destination === 'styles') this.#styles.endStyle();
    if (result !== null && result !== outer.result) this.#endResult(result);
    if (destination !== outer.destination) {
      if (destination === 'note') this.#blocks.endNote();
      if (destination === 'page') this.#blocks.endPageText();
    }
    this.#group = outer;
    this.isComplete = this.#outerGroups.length === 0;
  }

  #endResult({ instruction, result }: Field): void {
    const isRead = ['text', 'note', 'page'].includes(this.#group.destination);
    if (isRead) this.#blocks.addText(addressAfter(result, hyperlinkTarget(instruction)));
  }

  /** Returns whether the word is about a destination, so that it has no other meaning. */
  #setDestination(word: string): boolean {
    const isSkipped = this.#group.destination === 'skip';
    const destination = destinationOf(word, this.#isIgnorable);
    if (destination === undefined || isSkipped) return isSkipped;
    this.#group.destination = destination;
    if (destination === 'note') this.#blocks.startNote();
    if (destination === 'page') this.#blocks.startPageText();
    if (word === 'annotation') this.leftOut.comments += 1;
    if (word === 'objdata') this.leftOut.embedded += 1;
    return true;
  }

  #readWord(word: string, value: number | null): void {
    const character = characters[word];
    if (character !== undefined) return this.#addText(character);
    const group = this.#group;
    switch (word) {
      case 'u':
        this.#addText(String.fromCharCode((value ?? 0) & 0xffff));
        this.#toSkip = group.unicodeSkip;
        return;
      case 'uc':
        group.unicodeSkip = Math.max(0, Math.min(16, value ?? 1));
        return;
      case 'ansicpg':
        return this.#decoder.setCodePage(value ?? 1252);
      case 'mac':
        return this.#decoder.setCodePage(10000);
      case 'f':
        group.font = value ?? -1;
        return;
      case 'fcharset':
        if (group.destination === 'fonts') this.#decoder.setCharset(group.font, value ?? 0);
        return;
      case 'field':
        group.field = { instruction: '', result: '' };
        return;
      case 'fldrslt':
        group.result = group.field;
        return;
    }
    if (setFormat(group, word, value)) return;
    if (group.destination === 'styles') this.#styles.readWord(word, value ?? 0);
    else if (!['skip', 'fonts', 'instruction'].includes(group.destination))
      this.#readParagraphWord(word, value ?? 0);
  }
}

/** Changes the format of the text that follows. Returns false if the control word is not a format. */
function setFormat(format: Format, word: string, value: number | null): boolean {
  if (word === 'plain') Object.assign(format, plain);
  const property = formatWords.get(word);
  if (property === undefined) return word === 'plain';
  format[property] = word === 'up' ? (value ?? 6) > 0 : value !== 0 && !loweredWords.has(word);
  return true;
}

const loweredWords: ReadonlySet<string> = new Set(['sub', 'dn', 'nosupersub']);

/** Words that set a property of the format. The value 0 clears it. */
const formatWords: ReadonlyMap<string, keyof Format> = new Map([
  ...['v', 'deleted'].map((word) => [word, 'isHidden'] as const),
  ...['strike', 'striked'].map((word) => [word, 'isStruck'] as const),
  ...['super', 'up', ...loweredWords].map((word) => [word, 'isRaised'] as const),
]);

function addTo(field: Field | null, part: keyof Field, text: string): void {
  if (field !== null && field[part].length < maxFieldLength) field[part] += text;
}
