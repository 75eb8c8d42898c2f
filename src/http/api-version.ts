/** Name of the response header that contains the version of the HTTP interface. */
export const apiVersionHeaderName = 'API-Version';

/**
 * Version of the HTTP interface. `info.version` of the OpenAPI document has the same value. See
 * docs/reference/versioning.md.
 */
export const apiVersion = '1.1.0';
