import { findOverruns } from './time-budget.mjs';

/** Prints the result of each step, the failed and unstable tests, and what did not run. */
export function printSummary({ results, left, hasFailed }) {
  const listed = (of) => results.flatMap((result) => (result[of] ?? []).flatMap(linesOf));
  const hasTests = results.some(({ files = [] }) => files.length > 0);
  const text = [
    `\n── summary ──\n${results.map(summaryLine).join('\n')}\n`,
    section('mend first', staleFiles(results)),
    section('not run (npm run verify -- NAME --install)', left),
    section('slower than the budget', findOverruns(results)),
    section('unstable: passed alone, after they had failed', listed('unstable')),
    section('failed', listed('failures')),
    hasTests ? `\n${countsOf(results.map(({ files = [] }) => files))}\n` : '',
    `\n${hasFailed ? 'FAILED: see the failures above' : 'all good'}, ${Math.round(performance.now() / 1000)} s\n`,
  ];
  process.stdout.write(text.join(''));
}

/** Names the commands that write stale files again. Other checks may fail only because these files are stale. */
function staleFiles(results) {
  return results
    .filter(({ name, failure }) => failure && ['schema', 'openapi'].includes(name))
    .map(({ name }) => `if ${name} is out of date, npm run ${name} and check again`);
}

function linesOf({ file, reasons }) {
  return reasons.map((reason) => `${file ?? 'an unknown file'} > ${reason}`);
}

function summaryLine({ name, seconds, failure, skipped, files = [] }) {
  const state = skipped ? `skipped: ${skipped}` : (failure ?? 'ok');
  const tests = files.length === 0 ? '' : `  ${countsOf([files])}`;
  return `  ${name.padEnd(16)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${state}${tests}`;
}

function section(title, lines) {
  return lines.length === 0 ? '' : `\n${title}:\n  ${lines.join('\n  ')}\n`;
}

/** Returns the numbers of tests in a form that continuous integration reads. */
function countsOf(listsOfFiles) {
  const files = listsOfFiles.flat();
  const sum = (status) => files.reduce((total, file) => total + file[status], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
}
