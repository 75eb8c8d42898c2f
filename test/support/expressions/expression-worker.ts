import { parentPort, workerData } from 'node:worker_threads';
import { constructedExpressions, literalsOf } from './collect-expressions.ts';
import { describeSlowness } from './find-slow-expressions.ts';

// Collects the regular expressions of files and sends descriptions of those that are slow.

const { files, imported, exceptions } = workerData as {
  readonly files: readonly string[];
  readonly imported: readonly string[];
  readonly exceptions: readonly string[];
};
const literals = files.flatMap(literalsOf);
const constructed = await constructedExpressions(imported);
const all = [...literals, ...constructed];
const different = new Map(all.map((one) => [`/${one.source}/${one.flags}`, one]));
const known = new Set(exceptions);
parentPort?.postMessage({
  literals: literals.length,
  constructed: constructed.length,
  unknownExceptions: exceptions.filter((exception) => !different.has(exception)),
  slow: [...different]
    .filter(([text]) => !known.has(text))
    .map(([, one]) => describeSlowness(one))
    .filter((description) => description !== null),
});
