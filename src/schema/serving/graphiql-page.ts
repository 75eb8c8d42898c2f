import type { GraphiQLRenderer } from 'graphql-yoga';

/**
 * Sends the page's requests with a token of the operator who is signed in to the dashboard, unless the editor sets an
 * `Authorization` header. Without a session, and with Supabase Auth, requests stay unchanged.
 */
const signRequests = `
  const send = window.fetch;
  let known = null;
  async function operatorToken() {
    if (known !== null && performance.now() < known.renewAt) return known.accessToken;
    const response = await send('/dashboard/session/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    if (!response.ok) return null;
    const { accessToken, expiresInSeconds } = await response.json();
    known = { accessToken, renewAt: performance.now() + expiresInSeconds * 1000 - 60000 };
    return accessToken;
  }
  window.fetch = async (target, options) => {
    const request = new Request(target, options);
    const isOwn = new URL(request.url).pathname === location.pathname;
    if (!isOwn || request.headers.has('Authorization')) return send(request);
    const token = await operatorToken();
    if (token !== null) request.headers.set('Authorization', 'Bearer ' + token);
    return send(request);
  };`;

/** Returns the GraphiQL page together with its assets, 9 MB. Yoga's default page would load the assets from a CDN. */
export const renderGraphiqlPage: GraphiQLRenderer = async (options) => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return renderGraphiQL(options).replace('<head>', () => `<head><script>${signRequests}</script>`);
};
