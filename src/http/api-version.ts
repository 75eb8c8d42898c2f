/** Name of the response header that contains the version of the HTTP interface. */
export const apiVersionHeaderName = 'API-Version';

/**
 * Version of the HTTP interface, which is `x-api-version` of the OpenAPI document. It is not the version of the service.
 * See docs/reference/versioning.md.
 */
export const apiVersion = '1.1.0';
