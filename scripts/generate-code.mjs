import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runProgram, StoppedError } from './run-program.mjs';

/** Generators of code that is not committed. `inputs` are files and folders. A folder includes all files in it. */
const generators = [
  {
    what: 'the database client',
    inputs: ['supabase/schema.prisma', 'supabase/prisma.config.ts'],
    outputs: [
      'src/platform/postgres/generated/prisma/client.ts',
      'src/schema/generated/pothos-types.ts',
    ],
    args: [
      'node_modules/prisma/build/index.js',
      'generate',
      '--config',
      'supabase/prisma.config.ts',
    ],
  },
  {
    what: 'the REST routes',
    inputs: ['src/rest/tsoa.json', 'src/rest/routes.hbs', 'src/rest'],
    outputs: ['src/rest/generated/routes.ts'],
    args: ['node_modules/tsoa/dist/cli.js', 'routes', '--configuration', 'src/rest/tsoa.json'],
  },
  {
    what: "the types of the REST API's operations",
    inputs: ['src/schema/schema.graphql', 'tsconfig.json'],
    outputs: ['src/rest/generated/graphql-env.d.ts'],
    args: ['node_modules/gql.tada/bin/cli.js', 'generate-output', '-c', 'tsconfig.json'],
  },
  {
    what: "the types of the dashboard's operations",
    inputs: ['src/schema/schema.graphql', 'src/dashboard/tsconfig.json'],
    outputs: ['src/dashboard/generated/graphql-env.d.ts'],
    args: [
      'node_modules/gql.tada/bin/cli.js',
      'generate-output',
      '-c',
      'src/dashboard/tsconfig.json',
    ],
  },
  {
    what: 'the types of the REST API for its client',
    inputs: [
      'src/rest/openapi.json',
      'scripts/generate-client-types.mjs',
      'packages/client/package.json',
    ],
    outputs: ['packages/client/src/generated/openapi-types.ts'],
    args: ['scripts/generate-client-types.mjs'],
  },
  {
    what: 'the dashboard',
    inputs: ['package-lock.json', 'src/dashboard', 'src/extract/file-formats.ts'],
    outputs: ['src/dashboard/generated/site/index.html'],
    args: [
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      'src/dashboard/vite.config.ts',
      '--logLevel',
      'warn',
    ],
  },
  {
    what: 'the widget',
    inputs: ['package-lock.json', 'src/widget'],
    outputs: ['src/widget/generated/widget.js'],
    args: [
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      'src/widget/vite.config.ts',
      '--logLevel',
      'warn',
    ],
  },
];

/** Runs last, because the bundle contains the output of the generators. */
const bundler = {
  what: 'the bundle of the service',
  inputs: [
    'package.json',
    'package-lock.json',
    'scripts/bundle.mjs',
    'scripts/lean-query-compiler.mjs',
    'src',
    'supabase',
  ],
  outputs: ['dist/src/main.js'],
  args: ['scripts/bundle.mjs'],
};

export function isGeneratedCodeCurrent(root, { withBundle }) {
  return generatorsFor(withBundle).every((generator) => isCurrent(root, generator));
}

function generatorsFor(withBundle) {
  return withBundle ? [...generators, bundler] : generators;
}

/**
 * Runs the generators whose input files have changed.
 * @throws Error with the output of the first generator that fails
 */
export async function generateCode(root, { node, env, say, onStart, withBundle }) {
  for (const generator of generatorsFor(withBundle)) {
    if (isCurrent(root, generator)) continue;
    say(`generating ${generator.what} …`);
    const stamp = fingerprint(root, generator);
    const result = await runProgram(node, generator.args, {
      cwd: root,
      // Keeps Prisma from checking for updates over the network.
      env: { ...env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
      collect: true,
      onStart,
    });
    if (result.stoppedBy) throw new StoppedError(result.stoppedBy);
    if (result.code !== 0) {
      throw new Error(
        `${result.output}\ngrounded-chat: generating ${generator.what} failed, see above`,
      );
    }
    mkdirSync(dirname(stampPath(root, generator)), { recursive: true });
    writeFileSync(stampPath(root, generator), stamp);
  }
}

function isCurrent(root, generator) {
  if (!generator.inputs.every((path) => existsSync(join(root, path)))) return true;
  if (!generator.outputs.every((path) => existsSync(join(root, path)))) return false;
  try {
    const stamp = readFileSync(stampPath(root, generator), 'utf8');
    return stamp === fingerprint(root, generator);
  } catch {
    return false;
  }
}

/**
 * Returns the path of the file that stores the hash of a generator's inputs. The file is in `node_modules`, so that
 * generators run again after a new install.
 */
function stampPath(root, { outputs }) {
  const name = `${outputs[0].replaceAll('/', '-')}.sha256`;
  return join(root, 'node_modules', '.cache', 'grounded-chat', name);
}

function fingerprint(root, { inputs, args }) {
  const hash = createHash('sha256').update(args.join('\0'));
  for (const path of inputs.flatMap((input) => listFiles(root, input))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function listFiles(root, input) {
  if (!statSync(join(root, input)).isDirectory()) return [input];
  return readdirSync(join(root, input), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('/generated/') && !path.includes('/weights/'))
    .sort();
}
