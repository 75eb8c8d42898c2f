const unreleased = '## [Unreleased]\n';
const nothing = 'Nothing yet.';

/**
 * Returns a changelog whose unreleased changes have become the section of a version, under an empty section.
 * @param {string} date such as 2026-11-28
 */
export function dateChangelog(text, version, date) {
  const [head, tail] = text.split(unreleased);
  if (tail === undefined) throw new Error(`There is no ${unreleased.trim()}`);
  const [changes, ...older] = tail.split(/^(?=## \[)/m);
  const section = changes.trim() === nothing ? 'No changes.' : changes.trim();
  if (section === '') throw new Error(`${unreleased.trim()} is empty`);
  return [
    `${head}${unreleased}\n${nothing}\n`,
    `## [${version}] - ${date}\n\n${section}\n`,
    older.join(''),
  ].join('\n');
}
