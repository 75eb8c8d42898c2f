/**
 * Packages that the container image does not contain, although `npm prune --omit=dev` keeps them: optional peers (the
 * Prisma CLI and TypeScript) and packages that production never loads.
 */
export const notInImage = [
  'prisma',
  'typescript',
  'effect',
  '@prisma/dev',
  '@prisma/engines',
  '@prisma/fetch-engine',
  '@prisma/studio-core',
  '@prisma/query-plan-executor',
  'react-dom',
  'elkjs',
];
