/** The repository cannot be read. The message says why. */
export class GitError extends Error {}
/** The repository or a file exceeds a limit. */
export class TooLarge extends GitError {}
