import packageJson from '../../package.json' with { type: 'json' };

/** Version of the service. `package.json` is its only source. The bundle contains the value. */
export const { version } = packageJson;

/** The `User-Agent` header of all requests that the service sends. */
export const userAgent = `grounded-chat/${version}`;
