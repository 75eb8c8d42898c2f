import type { Source } from './source-operations.ts';

export type SourceKind = Source['kind'];
type Config = Omit<Source['config'], 'hasSecret'> & { token: null; secretAccessKey: null };
type ConfigName = keyof Config;

/** A field in the form of a source. `name` is the name of the field in `SourceConfig`. */
export interface SourceField {
  readonly name: ConfigName;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** `lines` has one entry per line. A stored `secret` is never shown. */
  readonly input: 'text' | 'lines' | 'secret' | 'number' | 'check';
  readonly isRequired?: boolean;
}

export type SourceFormValue = string | number | boolean;

const patterns = (what: string, example: string): readonly SourceField[] => [
  {
    name: 'include',
    label: `Only these ${what}`,
    description: `Paths such as ${example}, one per line. Empty: all ${what}.`,
    input: 'lines',
  },
  {
    name: 'exclude',
    label: `Not these ${what}`,
    description: `Paths such as ${example}, one per line.`,
    input: 'lines',
  },
];
const maxFiles = { name: 'maxFiles', label: 'Files at most', input: 'number' } as const;

/** The form of each kind of source. */
export const sourceKinds: Readonly<
  Record<SourceKind, { readonly label: string; readonly fields: readonly SourceField[] }>
> = {
  WEBSITE: {
    label: 'Website',
    fields: [
      {
        name: 'startUrls',
        label: 'Start addresses',
        description: 'One per line. Linked pages of the same hosts are read, too.',
        placeholder: 'https://example.com/help/',
        input: 'lines',
        isRequired: true,
      },
      ...patterns('pages', '/help/*'),
      { name: 'maxPages', label: 'Pages at most', input: 'number' },
      {
        name: 'respectRobots',
        label: 'Respect robots.txt',
        description: 'Turn it off only for your own website.',
        input: 'check',
      },
    ],
  },
  GIT: {
    label: 'Git repository',
    fields: [
      {
        name: 'url',
        label: 'Address of the repository',
        placeholder: 'https://example.com/team/handbook.git',
        input: 'text',
        isRequired: true,
      },
      { name: 'branch', label: 'Branch', description: 'Default: the main branch.', input: 'text' },
      { name: 'path', label: 'Folder', description: 'Default: all folders.', input: 'text' },
      { name: 'token', label: 'Access token of a private repository', input: 'secret' },
      ...patterns('files', '/docs/*'),
      maxFiles,
    ],
  },
  S3: {
    label: 'S3 bucket',
    fields: [
      {
        name: 'endpoint',
        label: 'Address of the server',
        placeholder: 'https://s3.example.com',
        input: 'text',
        isRequired: true,
      },
      { name: 'bucket', label: 'Bucket', input: 'text', isRequired: true },
      { name: 'region', label: 'Region', input: 'text' },
      {
        name: 'prefix',
        label: 'Beginning of the keys',
        description: 'Default: all.',
        input: 'text',
      },
      { name: 'accessKeyId', label: 'Id of the access key', input: 'text' },
      { name: 'secretAccessKey', label: 'Secret access key', input: 'secret' },
      ...patterns('files', '/docs/*'),
      maxFiles,
    ],
  },
  NOTION: {
    label: 'Notion',
    fields: [
      { name: 'token', label: 'Token of the integration', input: 'secret' },
      {
        name: 'roots',
        label: 'Only these pages and databases',
        description:
          'Links or ids, one per line, with everything below them. Empty: all that is shared with the integration.',
        input: 'lines',
      },
      { ...maxFiles, label: 'Pages at most' },
    ],
  },
};

const defaults: Readonly<Partial<Record<ConfigName, SourceFormValue>>> = {
  maxPages: 1_000,
  maxFiles: 1_000,
  respectRobots: true,
  region: 'us-east-1',
};

/** Returns the form values of all fields of a kind. */
export function formValuesOf(
  kind: SourceKind,
  config: Partial<Config> = {},
): Record<string, SourceFormValue> {
  return Object.fromEntries(
    sourceKinds[kind].fields.map(({ name }) => {
      const value = config[name] ?? defaults[name] ?? '';
      return [name, Array.isArray(value) ? value.join('\n') : (value as SourceFormValue)];
    }),
  );
}

/** Returns the configuration from the form. If the secret is empty, the stored secret stays. */
export function configOf(kind: SourceKind, values: Readonly<Record<string, SourceFormValue>>) {
  const fields = sourceKinds[kind].fields.filter(
    ({ name, input }) => input !== 'secret' || values[name] !== '',
  );
  return Object.fromEntries(
    fields.map(({ name, input }) => {
      const value = values[name] ?? '';
      const text = typeof value === 'string' ? value.trim() : value;
      return [name, input === 'lines' ? splitLines(String(text)) : text];
    }),
  );
}

export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns why the text of a field cannot be saved, or null. */
export function findFieldProblem(
  { name, label, input, isRequired = false }: SourceField,
  value: SourceFormValue | undefined,
): string | null {
  if (input === 'number') return value === '' ? 'Enter a number' : null;
  if (!isRequired) return null;
  if (name === 'bucket') return value === '' ? `Enter the ${label.toLowerCase()}` : null;
  const addresses = splitLines(String(value));
  const isValid = addresses.length > 0 && addresses.every((url) => URL.canParse(url));
  return isValid ? null : 'Enter an address that starts with https://';
}
