// npm run release -- 0.2.0   sets the version, dates the changelogs, commits, tags, and builds the files to release/.
// npm run release            builds the files of the version of this commit, as a workflow does for a tag.
// Publishes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readPassedGate } from '../verify/record.mjs';
import { addSources, buildFiles } from './build-files.mjs';
import { dateChangelog } from './date-changelog.mjs';
import { isNewer, setVersion } from './set-version.mjs';

const folder = 'release';
const changelogs = [
  'CHANGELOG.md',
  'packages/client/CHANGELOG.md',
  'packages/react/CHANGELOG.md',
  'clients/python/CHANGELOG.md',
];

try {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [version, ...surplus] = process.argv.slice(2);
  if (surplus.length > 0) throw new Error('Usage: npm run release -- [VERSION]');
  if (git('status', '--porcelain') !== '')
    throw new Error('The work tree has changes: commit them first.');
  if (version === undefined) {
    buildFiles(folder, current);
    addSources(folder, current);
    console.log(`The files of ${current} are in ${folder}/.`);
  } else {
    prepare(current, version);
  }
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

function prepare(current, version) {
  if (!/^\d+\.\d+\.\d+$/.test(version) || !isNewer(version, current))
    throw new Error(`The version must be like 1.2.3 and newer than ${current}, not ${version}.`);
  if (readPassedGate() !== git('rev-parse', 'HEAD'))
    throw new Error('The gate has not passed on this commit: run bash .ci/run.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version}.`);
  try {
    setVersion('.', current, version);
    const date = new Date().toISOString().slice(0, 10);
    for (const file of changelogs)
      writeFileSync(file, dateChangelog(readFileSync(file, 'utf8'), version, date));
    buildFiles(folder, version);
  } catch (error) {
    git('checkout', '--', '.');
    throw error;
  }
  git('commit', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  addSources(folder, version);
  console.log(nextSteps(version));
}

function nextSteps(version) {
  return `
Version ${version} is committed and tagged, and its files are in ${folder}/. Nothing is published yet. To go back:
  git tag --delete v${version} && git reset --hard HEAD~1

To publish it:
  git push origin HEAD v${version}
  npm publish --access public ${folder}/grounded-chat-client-${version}.tgz
  npm publish --access public ${folder}/grounded-chat-react-${version}.tgz
  twine upload ${folder}/grounded_chat-${version}*.whl ${folder}/grounded_chat-${version}.tar.gz
  docker build --tag grounded-chat:${version} . # and push it to your registry

Then record an installation of this version for the test of upgrades: see CONTRIBUTING.md.`;
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
