/** Response header with the version of the interface. */
export const apiVersionHeaderName = 'API-Version';

/** Version of the interface, which `info.version` of the OpenAPI document repeats. See docs/reference/versioning.md. */
export const apiVersion = '1.1.0';
