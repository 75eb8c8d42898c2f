import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram, StoppedError } from '../run-program.mjs';

/**
 * Programs and servers that tests need in addition to the npm dependencies. `script` in `test/support` installs or
 * starts the tool, and its last output line is the value of `variable`. An `isOptional` tool is not available on every
 * machine. Without it, its steps are skipped. `stop` are the bash arguments that stop the tool.
 */
const tools = {
  chromium: { script: 'chromium-up.sh', variable: 'CHROMIUM_PATH' },
  postgres: {
    script: 'postgres-up.sh',
    variable: 'TEST_DATABASE_URL',
    stop: ['postgres-down.sh', '--purge'],
  },
  pooler: {
    script: 'pgbouncer-up.sh',
    variable: 'TEST_POOLER_URL',
    needs: ['postgres'],
    stop: ['pgbouncer-up.sh', 'stop'],
  },
  /** The embedded database is Postgres 18, and Debian's package is Postgres 15. */
  postgres17: {
    script: 'postgres-17-up.sh',
    variable: 'TEST_DATABASE_URL',
    isOptional: true,
    stop: ['postgres-17-up.sh', 'stop'],
  },
  conformance: { script: 'conformance-tools.sh', variable: 'CONFORMANCE_TOOLS' },
  /** Comes from PyPI. A machine may not reach PyPI although it reaches the npm and Debian registries. */
  python: { script: 'python-tools.sh', variable: 'PYTHON_TOOLS', isOptional: true },
  /** The oldest httpx that the Python client supports, from Debian. */
  pythonHttpx: { script: 'python-httpx.sh', variable: 'PYTHON_HTTPX' },
  /** Compose, Caddy, nginx, Prometheus and systemd-analyze, without a Docker engine. */
  deployment: { script: 'deployment-tools.sh', variable: 'DEPLOYMENT_TOOLS' },
  /** Node 20, Deno and Bun, in npm packages for Linux. */
  runtimes: { script: 'runtimes.sh', variable: 'RUNTIMES', isOptional: true },
  next: { script: 'next-tools.sh', variable: 'NEXT_TOOLS' },
  supabaseCli: { script: 'supabase-cli.sh', variable: 'SUPABASE_CLI' },
};

/** Other variables that select where tests run. */
const otherVariables = ['TEST_SUPABASE'];

/**
 * Installs and starts each tool once, in the order of the calls, because Debian's package manager cannot run twice at a
 * time. If the variable of a tool is already set, the tool is used as it is and not stopped.
 */
export class Toolbox {
  #prepared = new Map();
  #queue = Promise.resolve();
  #started = [];
  #env;

  /** Servers store their files in `folder`. So runs at the same time do not use or stop each other's servers. */
  constructor(folder) {
    this.#env = {
      TEST_POSTGRES_DIR: join(folder, 'postgres'),
      TEST_POSTGRES_17_DIR: join(folder, 'postgres-17'),
      TEST_PGBOUNCER_DIR: join(folder, 'pgbouncer'),
      ...process.env,
    };
  }

  /**
   * Prepares tools, and returns the environment of a step that needs them: the environment of this process without the
   * variables of all other tools. `missing` is the name of an optional tool that is not available here, or null.
   * @returns {Promise<{env: NodeJS.ProcessEnv, missing: string | null}>}
   */
  async prepare(names) {
    const env = { ...process.env };
    const variables = Object.values(tools).map(({ variable }) => variable);
    for (const variable of [...variables, ...otherVariables]) delete env[variable];
    for (const name of withNeeds(names)) {
      const value = await this.#value(name);
      if (value === null) return { env, missing: name };
      env[tools[name].variable] = value;
    }
    return { env, missing: null };
  }

  /** Stops the tools that were started, the last one first. */
  async stop() {
    await this.#queue.catch(() => {});
    for (const name of this.#started.reverse()) {
      const [script, ...args] = tools[name].stop;
      await runProgram('bash', [supportPath(script), ...args], { collect: true, env: this.#env });
    }
    this.#started = [];
  }

  #value(name) {
    const { variable } = tools[name];
    if (process.env[variable]) return Promise.resolve(process.env[variable]);
    if (!this.#prepared.has(name)) {
      const value = this.#queue.then(() => this.#start(name));
      this.#queue = value.catch(() => {});
      this.#prepared.set(name, value);
    }
    return this.#prepared.get(name);
  }

  async #start(name) {
    const { script, isOptional = false, stop, needs = [] } = tools[name];
    const env = { ...this.#env };
    for (const need of needs) env[tools[need].variable] = await this.#value(need);
    if (stop !== undefined) this.#started.push(name);
    const result = await runProgram('bash', [supportPath(script)], { collect: true, env });
    if (result.stoppedBy) throw new StoppedError(result.stoppedBy);
    if (result.code === 0) return result.stdout.trim().split('\n').at(-1);
    if (isOptional) return null;
    throw new Error(`${result.output}\ntest/support/${script} failed, see above`);
  }
}

/** Returns why a step cannot run with the tools that are installed, or null if it can run. */
export function findMissingTool(names) {
  for (const name of withNeeds(names)) {
    const { variable, script } = tools[name];
    if (process.env[variable]) continue;
    return `${variable} is missing. On Debian, \`bash test/support/${script}\` prints its value; --install runs it`;
  }
  return null;
}

function withNeeds(names) {
  return [...new Set(names.flatMap((name) => [...(tools[name].needs ?? []), name]))];
}

function supportPath(script) {
  const path = `test/support/${script}`;
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  return path;
}
