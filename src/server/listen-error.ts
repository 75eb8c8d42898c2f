/** The HTTP server cannot listen. The cause is the error of Node. */
export class ListenError extends Error {
  readonly code: string;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'ListenError';
    this.code = 'code' in cause ? String(cause.code) : '';
  }
}

/** Returns one sentence that names the setting to change. */
export function describeListenError({ code, message }: ListenError, portSetting: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Cannot listen: ${message}. Another program uses this port. Choose another one: ${portSetting}=3001 npm start`;
    case 'EACCES':
      return `Cannot listen: ${message}. This user may not use this port: most systems reserve ports below 1024 for root. Set ${portSetting} to 1024 or more, and put a proxy in front.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `Cannot listen: ${message}. HOST must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Cannot listen: ${message}. HOST must be an address of this machine, or a name that resolves to one.`;
    default:
      return `Cannot listen: ${message}. Check HOST and ${portSetting}.`;
  }
}
