import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DomainError } from '../errors.ts';
import { startAutovacuum } from './autovacuum.ts';
import { preparePostgresDirectory } from './data-directory.ts';
import { lockDirectory } from './directory-lock.ts';
import { openEngine } from './engine.ts';
import { openWireServer } from './wire-server.ts';
import type { WorkerCommand, WorkerEvent, WorkerInput } from './worker-messages.ts';

if (!parentPort) throw new Error('worker.ts runs in a worker thread only');
const port = parentPort;
const send = (message: WorkerEvent) => port.postMessage(message);

function reportCrashAndExit(error: unknown): never {
  send({
    kind: 'died',
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  process.exit(1);
}

async function serve(input: WorkerInput): Promise<void> {
  const { dataDir, limits, password } = input;
  const onProgress = (message: string) => send({ kind: 'progress', message });
  const lock = dataDir === null ? undefined : lockDirectory(dataDir);
  const archive = input.archiveFile === undefined ? undefined : await openAsBlob(input.archiveFile);
  const settings = {
    maxResponseBytes: limits.maxResponseBytes,
    onCrash: reportCrashAndExit,
    archive,
  };
  const directory =
    dataDir === null ? null : await preparePostgresDirectory(dataDir, settings, onProgress);
  onProgress('Opening the embedded database');
  const engine = await openEngine({
    ...settings,
    directory,
    archive: directory === null ? archive : undefined,
  });
  const server = await openWireServer({
    engine,
    password,
    limits,
    onFatalError: reportCrashAndExit,
  });
  const maintenance = startAutovacuum(server.runExclusively, reportCrashAndExit);

  const stop = async () => {
    const maintained = maintenance.stop(); // not awaited yet: it may wait for a client that server.close() disconnects
    await server.close();
    await maintained;
    await engine.close();
    lock?.release();
    process.exit(0);
  };
  const writeArchive = async (file: string) => {
    const archive = await server.runExclusively(async (runSql) => {
      await runSql('CHECKPOINT');
      return engine.dump();
    });
    const unfinished = `${file}.${randomUUID()}`;
    await writeFile(unfinished, archive, { mode: 0o600 });
    await rename(unfinished, file);
  };
  const answerArchive = async (file: string) => {
    const failure = await writeArchive(file).then(() => null, String);
    send({ kind: 'archived', file, failure });
  };
  port.on('message', (message: WorkerCommand) => {
    const done = message.kind === 'stop' ? stop() : answerArchive(message.file);
    done.catch(reportCrashAndExit);
  });
  send({ kind: 'ready', port: server.port });
}

serve(workerData).catch((error: unknown) => {
  if (error instanceof DomainError) {
    send({ kind: 'refused', code: error.code, message: error.message });
    process.exit(1);
  }
  reportCrashAndExit(error);
});
