// Checks the GitHub Actions workflows of `.github/workflows` with GitHub's own parser, and our rules: actions are pinned to
// a commit, jobs have a time limit, and a workflow names its permissions. Run it with tsx, because the parser imports JSON
// as only bundlers do. Another folder can be named as argument.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  convertWorkflowTemplate,
  NoOperationTraceWriter,
  parseWorkflow,
} from '@actions/workflow-parser';
import { parse } from 'yaml';

/** A tag can be moved to other code, a commit cannot. Dependabot reads and updates the version in the comment. */
const pinned = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

const folder = process.argv[2] ?? '.github/workflows';
for (const name of readdirSync(folder).sort()) {
  const path = join(folder, name);
  const content = readFileSync(path, 'utf8');
  const errors = await syntaxErrors(path, content);
  for (const problem of errors.length > 0 ? errors : brokenRules(path, content)) {
    console.error(problem);
    process.exitCode = 1;
  }
}

async function syntaxErrors(path, content) {
  const { context, value } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (errors.length > 0 || value === undefined) return errors;
  const { errors: found = [] } = await convertWorkflowTemplate(context, value);
  return found.map(({ Message }) => Message);
}

function brokenRules(path, content) {
  const { permissions, concurrency, jobs } = parse(content);
  const uses = [...content.matchAll(/^[ -]*uses: *(.*)$/gm)].map(([, action]) => action);
  const withoutLimit = Object.keys(jobs).filter(
    (name) => jobs[name]['timeout-minutes'] === undefined,
  );
  return [
    ...uses
      .filter((action) => !action.startsWith('./') && !pinned.test(action))
      .map(
        (action) =>
          `${path}: ${action}: name the full commit, and its version as comment: # v1.2.3`,
      ),
    ...withoutLimit.map((name) => `${path}: job ${name} has no timeout-minutes`),
    ...(permissions === undefined ? [`${path}: has no permissions`] : []),
    ...(concurrency === undefined ? [`${path}: has no concurrency`] : []),
    ...unknownReferences(jobs).map((text) => `${path}: ${text}`),
  ];
}

/** The parser accepts an expression that reads a step or a job that does not exist, and GitHub reads it as empty. */
function unknownReferences(jobs) {
  return Object.entries(jobs).flatMap(([name, { steps = [], needs = [], ...job }]) => {
    const known = { steps: steps.map(({ id }) => id), needs: [needs].flat() };
    const texts = JSON.stringify([steps, job]).matchAll(/\b(steps|needs)\.([\w-]+)\./g);
    return [...texts]
      .filter(([, kind, id]) => !known[kind].includes(id))
      .map(([, kind, id]) => `job ${name} reads ${kind}.${id}, which does not exist`);
  });
}
