import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * PGlite's directory on disk, with an fsync that reaches the disk: Emscripten's does nothing, so that
 * a power cut could lose committed rows, or pages that the log relies on. (A killed process loses
 * nothing either way.) Needs `wal_sync_method=fsync`, as fdatasync still does nothing.
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

type NodeFilesystem = { stream_ops: { fsync?(stream: { nfd?: number }): number } };

/** WASI errno: Postgres panics on it, as it must when a write may be lost. */
const IO_ERROR = 29;

function addFsync(filesystem: NodeFilesystem): void {
  filesystem.stream_ops.fsync = ({ nfd }) => {
    if (nfd === undefined) return 0;
    try {
      fsyncSync(nfd);
      return 0;
    } catch (error) {
      return isUnsupported(error) ? 0 : IO_ERROR;
    }
  };
}

/** Windows and some file systems cannot sync a directory or a file opened for reading. */
function isUnsupported(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EPERM', 'EINVAL', 'EISDIR'].includes(String(error.code))
  );
}

/** Emscripten's types leave out its table of file systems; NODEFS is linked into PGlite for Node. */
function nodeFilesystem(fs: object): NodeFilesystem {
  return (fs as { filesystems: { NODEFS: NodeFilesystem } }).filesystems.NODEFS;
}
