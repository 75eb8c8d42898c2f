// Prints the size of the code beside the budget in test/size-budget.json. Never fails: who exceeds a number says in the
// commit what the new lines replace. `--write` writes the sizes of today as the budget.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';

const budgetFile = 'test/size-budget.json';
const longFile = 250;
const longFunction = 80;

const files = globSync('src/**/*.{ts,tsx}')
  .filter((path) => !path.includes('/generated/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const sizes = measure();

if (process.argv.includes('--write')) {
  writeFileSync(budgetFile, `${JSON.stringify(sizes, null, 2)}\n`);
} else {
  const budget = JSON.parse(readFileSync(budgetFile, 'utf8'));
  for (const [what, size] of Object.entries(sizes)) {
    const excess = size > budget[what] ? `  above the budget of ${budget[what]}` : '';
    process.stdout.write(`${String(size).padStart(8)}  ${what}${excess}\n`);
  }
}

function measure() {
  const { paths } = JSON.parse(readFileSync('src/rest/openapi.json', 'utf8'));
  const operations = Object.values(paths).flatMap((path) => Object.keys(path)).length;
  const schema = readFileSync('src/schema/schema.graphql', 'utf8');
  const roots = [...schema.matchAll(/^type (?:Query|Mutation|Subscription) \{\n([\s\S]*?)^\}/gm)];
  const fields = roots.flatMap(([, body]) => body.match(/^ {2}\w+[(:]/gm) ?? []).length;
  const capabilities = globSync('src/rest/*/*-controller.ts').map((path) => dirname(path));
  const rest = files.filter(({ path }) => capabilities.includes(dirname(path)));
  return {
    'lines of src': sum(files.map(linesOf)),
    'lines of controllers and records for each REST operation': Math.round(
      sum(rest.map(linesOf)) / operations,
    ),
    'lines of GraphQL for each field of Query, Mutation and Subscription': Math.round(
      sum(files.filter(({ path }) => path.startsWith('src/schema/')).map(linesOf)) / fields,
    ),
    [`files above ${longFile} lines`]: files.filter((file) => linesOf(file) > longFile).length,
    'lines of the longest file': Math.max(...files.map(linesOf)),
    [`functions above ${longFunction} lines`]: files.flatMap(longFunctionsOf).length,
    'files that name a field of a question set (everyHours)': namedIn(/\beveryHours\b/),
    'files that name a webhook event (handoff.rated)': namedIn(/'handoff\.rated'/),
    'files that name a scope (evaluation:write)': namedIn(/evaluation:write|EVALUATION_WRITE/),
  };
}

function linesOf({ text }) {
  return text.split('\n').length - 1;
}

function namedIn(pattern) {
  return files.filter(({ text }) => pattern.test(text)).length;
}

function longFunctionsOf({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const found = [];
  const visit = (node) => {
    const lines = lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
    if (lines <= longFunction) return;
    if (ts.isFunctionLike(node) && node.body !== undefined) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
