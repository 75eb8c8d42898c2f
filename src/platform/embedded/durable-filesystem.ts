import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * Creates PGlite's file system on disk, with an fsync that works. Emscripten's fsync does nothing. With it, a power
 * failure could lose committed rows, or pages that the WAL depends on. A killed process loses nothing with either
 * fsync. Requires `wal_sync_method=fsync`, because fdatasync still does nothing.
 */
export function createDurableFilesystem(directory: string): NodeFS {
  const filesystem = new NodeFS(directory);
  const init = filesystem.init.bind(filesystem);
  filesystem.init = async (db, options) => {
    const result = await init(db, options);
    const { preRun = [] } = result.emscriptenOpts;
    result.emscriptenOpts.preRun = [...preRun, (postgres) => addFsync(nodeFilesystem(postgres.FS))];
    return result;
  };
  return filesystem;
}

interface NodeFilesystem {
  stream_ops: { fsync?(stream: { nfd?: number }): number };
}

/** WASI errno EIO. Postgres panics at this error. That is correct, because a write may have been lost. */
const wasiIoError = 29;

function addFsync(filesystem: NodeFilesystem): void {
  filesystem.stream_ops.fsync = ({ nfd }) => {
    if (nfd === undefined) return 0;
    try {
      fsyncSync(nfd);
      return 0;
    } catch (error) {
      return isUnsupported(error) ? 0 : wasiIoError;
    }
  };
}

/**
 * Whether the error means that this platform or file system cannot sync the path. Windows and some file systems can
 * sync neither directories nor files that are opened for reading.
 */
function isUnsupported(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EPERM', 'EINVAL', 'EISDIR'].includes(String(error.code))
  );
}

/** Emscripten's types omit the `filesystems` table. PGlite for Node always contains NODEFS. */
function nodeFilesystem(fs: object): NodeFilesystem {
  return (fs as { filesystems: { NODEFS: NodeFilesystem } }).filesystems.NODEFS;
}
