import { delimiter, dirname, join } from 'node:path';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { generateCode, isGeneratedCodeCurrent } from './generate-code.mjs';
import { findNode, installNode } from './node-runtime.mjs';
import { withLock } from './with-lock.mjs';

/**
 * Installs Node and the dependencies and generates code. Does each step only if its result is missing or out of date.
 * Takes less than a second if nothing has changed. Concurrent launches wait for each other.
 * @param {string} root folder of the project
 * @param {{withBundle: boolean}} options whether to bundle the service to `dist`
 * @returns {Promise<{node: string, env: NodeJS.ProcessEnv}>} path of Node, and the environment for commands
 */
export async function prepareCheckout(root, options) {
  if (!isPrepared(root, options)) await withLock(join(root, '.node', 'launch.lock'), say, steps);
  const node = findNode(root);
  return { node, env: environment(root, node) };

  async function steps(onStart) {
    if (!findNode(root)) await installNode(root, { say, onStart });
    const node = findNode(root);
    const context = { node, env: environment(root, node), say, onStart, ...options };
    if (!areDependenciesInstalled(root)) await installDependencies(root, context);
    if (!isGeneratedCodeCurrent(root, options)) await generateCode(root, context);
  }
}

function isPrepared(root, options) {
  return (
    findNode(root) !== null &&
    areDependenciesInstalled(root) &&
    isGeneratedCodeCurrent(root, options)
  );
}

/**
 * Returns the environment for child processes. Its `PATH` starts with the folders of this Node and of the installed
 * tools.
 */
function environment(root, node) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [dirname(node), join(root, 'node_modules', '.bin'), process.env[name]];
  return { ...process.env, [name]: folders.filter(Boolean).join(delimiter) };
}

/** Writes to standard error, because standard output belongs to the command and may be JSON. */
function say(text) {
  process.stderr.write(`grounded-chat: ${text}\n`);
}
