import { delimiter, dirname, join } from 'node:path';
import { areDependenciesInstalled, installDependencies } from './dependencies.mjs';
import { generateCode, isCodeGenerated } from './generated-code.mjs';
import { findNode, installNode } from './node-runtime.mjs';
import { withLock } from './with-lock.mjs';

/**
 * Brings Node, the dependencies and the generated code up to date; a fraction of a second when they are.
 * Several launches at once take turns.
 * @param {string} root folder of the project
 * @returns {Promise<{node: string, env: NodeJS.ProcessEnv}>} the program to run with, and the environment
 */
export async function prepare(root) {
  if (!isPrepared(root)) await withLock(join(root, '.node', 'launch.lock'), say, steps);
  const node = findNode(root);
  return { node, env: environment(root, node) };

  async function steps(onStart) {
    if (!findNode(root)) await installNode(root, { say, onStart });
    const node = findNode(root);
    const context = { node, env: environment(root, node), say, onStart };
    if (!areDependenciesInstalled(root)) await installDependencies(root, context);
    if (!isCodeGenerated(root)) await generateCode(root, context);
  }
}

function isPrepared(root) {
  return findNode(root) !== null && areDependenciesInstalled(root) && isCodeGenerated(root);
}

/** Every program that is started in turn finds the same Node, and the installed tools. */
function environment(root, node) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [dirname(node), join(root, 'node_modules', '.bin'), process.env[name]];
  return { ...process.env, [name]: folders.filter(Boolean).join(delimiter) };
}

/** Standard output belongs to the command: it may be JSON for a program. */
function say(text) {
  process.stderr.write(`grounded-chat: ${text}\n`);
}
