/** What the text of a group is. Text of the destination `skip` is not read. */
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
  const destination = destinations[word];
  const isUnknown = isIgnorable && destination === undefined && !readIgnorable.has(word);
  return isUnknown ? 'skip' : destination;
}

const destinations: Readonly<Record<string, RtfDestination>> = Object.assign(Object.create(null), {
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
