// Compiles the service to dist/ and copies the files that it reads at run time next to the compiled code.
import { cpSync, rmSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { exitCodeOf, runProgram } from './run-program.mjs';

const sources = ['.ts', '.hbs', '.prisma'];

rmSync('dist', { recursive: true, force: true });
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
process.exitCode = exitCodeOf(await runProgram(process.execPath, tsc, {}));
for (const folder of process.exitCode === 0 ? ['src', 'supabase'] : []) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: isReadAtRunTime });
}

/**
 * Returns whether the service reads the file at run time. From the dashboard and the widget, it reads only the build
 * output.
 */
function isReadAtRunTime(path) {
  if (statSync(path).isDirectory()) return true;
  const inDashboard = relative('src/dashboard', path);
  if (!inDashboard.startsWith('..')) return inDashboard.startsWith(join('generated', 'site'));
  const inWidget = relative('src/widget', path);
  if (!inWidget.startsWith('..')) return inWidget === join('generated', 'widget.js');
  return !sources.includes(extname(path));
}
