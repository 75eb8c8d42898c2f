/** Simulates a browser that follows redirects and keeps cookies. It renders no pages. */
export interface RedirectBrowser {
  /**
   * Opens an address and follows redirects. Stops when `stopsAt` matches the next address, or when a response is not a
   * redirect.
   */
  open(url: string, stopsAt?: RegExp): Promise<Visit>;
  /** Sends a request with the stored cookies of the origin. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Stored cookies, by origin. */
  readonly cookies: Map<string, Map<string, string>>;
  /** Every `Set-Cookie` header that the browser has received. */
  readonly setCookies: string[];
}

export interface Visit {
  /** The last opened address. If `stopsAt` matched an address, that address, although it was not opened. */
  readonly url: string;
  readonly status: number;
}

/** Creates the browser. `hosts` maps origins to other origins, as a proxy in front of a service does. */
export function createRedirectBrowser(
  hosts: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): RedirectBrowser {
  const cookies = new Map<string, Map<string, string>>();
  const setCookies: string[] = [];
  const jarOf = (origin: string) => {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    return jar;
  };
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const jar = jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url.replace(origin, hosts[origin] ?? origin), {
      ...init,
      redirect: 'manual',
      headers: { ...headers, Cookie: cookie, ...init.headers },
    });
    for (const header of response.headers.getSetCookie()) {
      setCookies.push(header);
      const [pair = ''] = header.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (/expires=Thu, 01 Jan 1970/i.test(header)) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
    return response;
  };
  return {
    cookies,
    setCookies,
    fetch: send,
    async open(url, stopsAt) {
      for (let current = url, hops = 0; hops < 20; hops += 1) {
        if (stopsAt?.test(current) && hops > 0) return { url: current, status: 0 };
        const response = await send(current);
        await response.body?.cancel();
        const location = response.headers.get('Location');
        if (location === null) return { url: current, status: response.status };
        current = new URL(location, current).href;
      }
      throw new Error('Too many redirects');
    },
  };
}
