import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const element = z.strictObject({
  type: z.enum(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']),
  id: z.string().optional(),
  attributes: z.looseObject({
    label: z.string().optional(),
    options: z.array(z.string()).optional(),
  }),
  validations: z.strictObject({ required: z.boolean() }).optional(),
});

/** The keys of GitHub's issue forms that we use. GitHub shows no form that has another key or lacks a label. */
const issueForm = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(element),
});

const forms = readdirSync('.github/ISSUE_TEMPLATE').filter((name) => name !== 'config.yml');

test.each(forms)('GitHub can show the issue form %s', (name) => {
  const { body } = issueForm.parse(
    parse(readFileSync(join('.github/ISSUE_TEMPLATE', name), 'utf8')),
  );
  const fields = body.filter(({ type }) => type !== 'markdown');
  expect(fields.length).toBeGreaterThan(0);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  expect(new Set(fields.map(({ attributes }) => attributes.label)).size).toBe(fields.length);
});

const update = z.strictObject({
  'package-ecosystem': z.enum(['npm', 'pip', 'docker', 'docker-compose', 'github-actions']),
  directory: z.string(),
  schedule: z.strictObject({ interval: z.literal('weekly') }),
  groups: z.record(z.string(), z.looseObject({ patterns: z.array(z.string()) })),
});

test('Dependabot finds the files of every ecosystem', () => {
  const text = readFileSync('.github/dependabot.yml', 'utf8');
  const { updates } = z
    .strictObject({ version: z.literal(2), updates: z.array(update) })
    .parse(parse(text));
  const files = {
    npm: 'package-lock.json',
    pip: 'pyproject.toml',
    docker: 'Dockerfile',
    'docker-compose': 'compose.yaml',
    'github-actions': '.github/workflows',
  };
  const found = updates.map((one) => join(`.${one.directory}`, files[one['package-ecosystem']]));
  expect(found).toHaveLength(Object.keys(files).length);
  expect(found.filter((path) => !existsSync(path))).toEqual([]);
});
