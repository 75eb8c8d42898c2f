import { parentPort, workerData } from 'node:worker_threads';
import { callCompilingFunctions } from './call-functions.ts';
import { constructedExpressions, readExpressions } from './collect-expressions.ts';
import { describeSlowness } from './find-slow-expressions.ts';

// Collects the regular expressions of files and sends descriptions of those that are slow.

const { files } = workerData as { readonly files: readonly string[] };
const read = files.map((file) => ({ file, ...readExpressions(file) }));
const literals = read.flatMap((file) => file.literals);
const places = read.flatMap((file) => file.places);
const compiling = read.filter((file) => file.places.length > 0).map(({ file }) => file);
const constructed = await constructedExpressions(compiling, callCompilingFunctions);
const seen = new Set(constructed.map(({ place }) => place));
const all = [...literals, ...constructed];
const different = new Map(all.map((one) => [`/${one.source}/${one.flags}`, one]));
parentPort?.postMessage({
  literals: literals.length,
  constructed: constructed.length,
  unseen: places.filter((place) => !seen.has(place)),
  slow: [...different.values()].map(describeSlowness).filter((found) => found !== null),
});
