/** Thrown when a repository cannot be read. The message contains the reason. */
export class GitError extends Error {}
/** Thrown when the repository or a file exceeds a limit. */
export class TooLarge extends GitError {}
