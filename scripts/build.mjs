// Compiles the service to dist/, with the files it reads at run time beside the code, as in the source.
import { cpSync, rmSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { exitCodeOf, runProgram } from './run-program.mjs';

const sources = ['.ts', '.hbs', '.prisma'];

rmSync('dist', { recursive: true, force: true });
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
process.exitCode = exitCodeOf(await runProgram(process.execPath, tsc, {}));
for (const folder of process.exitCode === 0 ? ['src', 'supabase'] : []) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: isReadAtRunTime });
}

function isReadAtRunTime(path) {
  return statSync(path).isDirectory() || !sources.includes(extname(path));
}
