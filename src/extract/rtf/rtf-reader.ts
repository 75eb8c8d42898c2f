import { ExtractError } from '../extracted-text.ts';
import { addressAfter } from '../link-address.ts';
import { hyperlinkTarget } from '../office/word-fields.ts';
import { markRaised } from '../raised-text.ts';
import type { RtfBlocks } from './rtf-blocks.ts';
import { encodingOfCharset, encodingOfCodePage } from './rtf-code-pages.ts';
import { createRtfRowLayout } from './rtf-row-layout.ts';
import { createRtfStyles } from './rtf-styles.ts';
import type { RtfToken } from './rtf-tokens.ts';

/** Reads the tokens of an RTF file one by one. */
export interface RtfReader {
  read(token: RtfToken): void;
  /** Whether the group that contains the whole file has ended. */
  isComplete(): boolean;
  /** Returns the numbers of comments and of embedded objects. Their content is not read. */
  leftOut(): { readonly comments: number; readonly embedded: number };
}

type Destination =
  | 'text'
  | 'marker'
  | 'fonts'
  | 'styles'
  | 'note'
  | 'page'
  | 'instruction'
  | 'skip';

/** A field. Its instruction and its result are groups inside the group of the field. */
interface Field {
  instruction: string;
  result: string;
}

const maxFieldLength = 2_000;

/** State that applies until the end of a group. */
interface Group {
  destination: Destination;
  /** Number of fallback characters after `\u`, which are for older readers and are skipped. */
  unicodeSkip: number;
  font: number;
  isHidden: boolean;
  isStruck: boolean;
  isRaised: boolean;
  /** `field` is the innermost field. `result` is the field whose result is being read. */
  field: Field | null;
  result: Field | null;
}

const plain = { isHidden: false, isStruck: false, isRaised: false };

const maxGroupDepth = 1_000;

const destinations: Readonly<Record<string, Destination>> = Object.assign(Object.create(null), {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  listtext: 'marker',
  pntext: 'marker',
  footnote: 'note',
  fldinst: 'instruction',
  ...Object.fromEntries(
    'header headerl headerr headerf footer footerl footerr footerf'
      .split(' ')
      .map((word) => [word, 'page']),
  ),
  ...Object.fromEntries(
    'colortbl info pict sp tc xe ftnsep ftnsepc aftnsep aftnsepc nonshppict themedata colorschememapping latentstyles datastore listtable listoverridetable rsidtbl generator xmlnstbl annotation atnid atnauthor bkmkstart bkmkend objdata'
      .split(' ')
      .map((word) => [word, 'skip']),
  ),
});

/** Destinations that contain text of the document although they are marked as ignorable. */
const readIgnorable = new Set(['shpinst', 'shptxt', 'listtext', 'pntext', 'footnote']);

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

export function createRtfReader(blocks: RtfBlocks): RtfReader {
  const styles = createRtfStyles();
  const layout = createRtfRowLayout();
  const encodings = new Map<number, string>();
  const groups: Group[] = [];
  let group: Group = {
    destination: 'text',
    unicodeSkip: 1,
    font: -1,
    field: null,
    result: null,
    ...plain,
  };
  let fileEncoding = encodingOfCodePage(1252);
  let bytes = '';
  let bytesEncoding = '';
  let toSkip = 0;
  let isIgnorable = false;
  let isComplete = false;
  const leftOut = { comments: 0, embedded: 0 };
  let format = { headingLevel: null as number | null, isInTable: false };

  const addText = (text: string) => {
    if (group.destination === 'styles') styles.addText(text);
    else if (group.destination === 'instruction') addTo(group.field, 'instruction', text);
    else if (group.isHidden || group.isStruck) return;
    else if (group.destination === 'skip' || group.destination === 'fonts') return;
    else if (group.destination === 'marker') blocks.addMarker(text);
    else {
      addTo(group.result, 'result', text);
      blocks.addText(group.isRaised ? markRaised(text) : text);
    }
  };
  const flush = () => {
    if (bytes === '') return;
    const decoded = new TextDecoder(bytesEncoding).decode(Buffer.from(bytes, 'latin1'));
    bytes = '';
    addText(decoded);
  };
  const addBytes = (text: string) => {
    if (group.destination === 'skip') return;
    const skipped = Math.min(toSkip, text.length);
    toSkip -= skipped;
    const encoding = encodings.get(group.font) ?? fileEncoding;
    if (encoding !== bytesEncoding) flush();
    bytesEncoding = encoding;
    bytes += text.slice(skipped);
  };
  const open = () => {
    if (groups.length >= maxGroupDepth) {
      throw new ExtractError('TOO_LARGE', 'The RTF is nested too deeply.');
    }
    groups.push(group);
    group = { ...group };
    if (group.destination === 'styles') styles.startStyle();
  };
  const close = () => {
    const outer = groups.pop();
    if (outer === undefined) return;
    if (group.destination === 'styles') styles.endStyle();
    if (group.result !== null && group.result !== outer.result) endResult(group.result);
    if (group.destination !== outer.destination) {
      if (group.destination === 'note') blocks.endNote();
      if (group.destination === 'page') blocks.endPageText();
    }
    group = outer;
    isComplete = groups.length === 0;
  };
  const endResult = ({ instruction, result }: Field) => {
    const isRead = ['text', 'note', 'page'].includes(group.destination);
    if (isRead) blocks.addText(addressAfter(result, hyperlinkTarget(instruction)));
  };
  const setDestination = (word: string): boolean => {
    const destination = destinations[word];
    const isSkipped = group.destination === 'skip';
    if (isIgnorable && destination === undefined && !readIgnorable.has(word)) {
      group.destination = 'skip';
      return true;
    }
    if (destination === undefined || isSkipped) return isSkipped;
    group.destination = destination;
    if (destination === 'note') blocks.startNote();
    if (destination === 'page') blocks.startPageText();
    if (word === 'annotation') leftOut.comments += 1;
    if (word === 'objdata') leftOut.embedded += 1;
    return true;
  };
  const addUnicode = (value: number) => {
    addText(String.fromCharCode(value & 0xffff));
    toSkip = group.unicodeSkip;
  };
  const readWord = (word: string, value: number | null): void => {
    const character = characters[word];
    if (character !== undefined) return addText(character);
    const isOn = value !== 0;
    switch (word) {
      case 'u':
        return addUnicode(value ?? 0);
      case 'uc':
        group.unicodeSkip = Math.max(0, Math.min(16, value ?? 1));
        return;
      case 'ansicpg':
        fileEncoding = encodingOfCodePage(value ?? 1252);
        return;
      case 'mac':
        fileEncoding = encodingOfCodePage(10000);
        return;
      case 'f':
        group.font = value ?? -1;
        return;
      case 'fcharset': {
        const encoding = encodingOfCharset(value ?? 0);
        if (group.destination === 'fonts' && encoding !== null) encodings.set(group.font, encoding);
        return;
      }
      case 'v':
      case 'deleted':
        group.isHidden = isOn;
        return;
      case 'strike':
      case 'striked':
        group.isStruck = isOn;
        return;
      case 'super':
        group.isRaised = isOn;
        return;
      case 'up':
        group.isRaised = (value ?? 6) > 0;
        return;
      case 'sub':
      case 'dn':
      case 'nosupersub':
        group.isRaised = false;
        return;
      case 'field':
        group.field = { instruction: '', result: '' };
        return;
      case 'fldrslt':
        group.result = group.field;
        return;
      case 'plain':
        Object.assign(group, plain);
        return;
      default:
        return group.destination === 'styles'
          ? styles.readWord(word, value ?? 0)
          : readParagraphWord(word, value ?? 0);
    }
  };
  const readParagraphWord = (word: string, value: number): void => {
    if (['skip', 'fonts', 'instruction'].includes(group.destination)) return;
    if (layout.readWord(word, value)) return;
    switch (word) {
      case 'pard':
        format = { headingLevel: null, isInTable: false };
        return;
      case 'intbl':
        format.isInTable = true;
        return;
      case 's':
        format.headingLevel = styles.headingLevel(value);
        return;
      case 'outlinelevel':
        format.headingLevel = value < 9 ? Math.max(1, Math.min(6, value + 1)) : null;
        return;
      case 'par':
      case 'page':
      case 'sect':
        return blocks.endParagraph(format);
      case 'cell':
        return blocks.endCell();
      case 'row':
        return blocks.endRow(layout.cells());
    }
  };
  return {
    isComplete: () => isComplete,
    leftOut: () => leftOut,
    read(token) {
      if (token.kind === 'bytes') return addBytes(token.text);
      flush();
      if (token.kind !== 'word') {
        toSkip = 0;
        isIgnorable = false;
        return token.kind === 'open' ? open() : close();
      }
      if (token.word === '*') {
        isIgnorable = true;
        return;
      }
      const isDestination = setDestination(token.word);
      isIgnorable = false;
      if (toSkip > 0 && token.word !== 'u') toSkip -= 1;
      else if (!isDestination) readWord(token.word, token.value);
    },
  };
}

function addTo(field: Field | null, part: keyof Field, text: string): void {
  if (field !== null && field[part].length < maxFieldLength) field[part] += text;
}
