import { defineConfig } from 'prisma/config';

// `prisma generate` needs no schema engine, but Prisma downloads one unless this path is set.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

// biome-ignore lint/style/noDefaultExport: Prisma's CLI reads the default export.
export default defineConfig({ schema: 'schema.prisma' });
