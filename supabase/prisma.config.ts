import { defineConfig } from 'prisma/config';

// `generate` needs no schema engine, yet Prisma downloads one unless a binary is named.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

// biome-ignore lint/style/noDefaultExport: Prisma's CLI reads the default export.
export default defineConfig({ schema: 'schema.prisma' });
