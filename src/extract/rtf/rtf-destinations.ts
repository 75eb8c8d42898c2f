/** Purpose of the text in a group. The reader ignores the text of the destination `skip`. */
export type RtfDestination =
  | 'text'
  | 'marker'
  | 'fonts'
  | 'styles'
  | 'note'
  | 'page'
  | 'instruction'
  | 'skip';

/** Returns the destination that a control word selects for its group, or undefined if it selects none. */
export function destinationOf(word: string, isIgnorable: boolean): RtfDestination | undefined {
  const destination = destinations.get(word);
  const isUnknown = isIgnorable && destination === undefined && !readIgnorable.has(word);
  return isUnknown ? 'skip' : destination;
}

const words: readonly (readonly [RtfDestination, string])[] = [
  ['fonts', 'fonttbl'],
  ['styles', 'stylesheet'],
  ['marker', 'listtext pntext'],
  ['note', 'footnote'],
  ['instruction', 'fldinst'],
  ['page', 'header headerl headerr headerf footer footerl footerr footerf'],
  [
    'skip',
    'colortbl info pict sp tc xe ftnsep ftnsepc aftnsep aftnsepc nonshppict themedata colorschememapping latentstyles datastore listtable listoverridetable rsidtbl generator xmlnstbl annotation atnid atnauthor bkmkstart bkmkend objdata',
  ],
];
const destinations: ReadonlyMap<string, RtfDestination> = new Map(
  words.flatMap(([destination, names]) => names.split(' ').map((name) => [name, destination])),
);

/** Destinations that contain text of the document although they are marked as ignorable. */
const readIgnorable = new Set(['shpinst', 'shptxt', 'listtext', 'pntext', 'footnote']);
