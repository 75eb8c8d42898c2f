import type { IncomingMessage } from 'node:http';
import { inSpan } from './tracer.ts';

/**
 * Sends a request to another server in a span that ends with the head of the response. The span has the host but not the
 * path, because paths may contain secrets and names of documents.
 */
export function inRequestSpan(
  { url, method = 'GET' }: { readonly url: string; readonly method?: string },
  send: () => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  const { hostname, port, protocol } = new URL(url);
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.scheme': protocol.slice(0, -1),
  };
  return inSpan(method, { kind: 'CLIENT', attributes }, async (span) => {
    const response = await send();
    const { statusCode = 0 } = response;
    span?.setAttributes({ 'http.response.status_code': statusCode });
    if (statusCode >= 400) span?.setFailed();
    return response;
  });
}
