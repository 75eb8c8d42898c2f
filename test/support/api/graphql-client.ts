/** A GraphQL client that uses HTTP and one token. */
export interface GraphqlClient {
  send(query: string, variables?: object): Promise<GraphqlResponse>;
  /** Returns the data of the response. Rejects if the response contains errors. */
  data<T>(query: string, variables?: object): Promise<T>;
}

export interface GraphqlResponse {
  readonly status: number;
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly messages?: readonly string[] };
  }[];
}

export function graphqlClient(serviceUrl: string, token: string | null): GraphqlClient {
  const send = async (query: string, variables: object = {}): Promise<GraphqlResponse> => {
    const response = await fetch(`${serviceUrl}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    const answer = isStream ? await firstEvent(response) : await response.json();
    return { status: response.status, ...answer };
  };
  return {
    send,
    async data<T>(query: string, variables?: object): Promise<T> {
      const { data, errors } = await send(query, variables);
      if (errors !== undefined || data == null) throw new Error(JSON.stringify(errors));
      return data as T;
    },
  };
}

/**
 * Returns the first event of a subscription and cancels the subscription. Returns {} if the stream contains only
 * comments.
 */
async function firstEvent(response: Response): Promise<object> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    text += decoder.decode(value, { stream: true });
    const data = /^data: (\{.*\})$/m.exec(text)?.[1];
    const isSilent = /^(:\n\n){2,}$/.test(text);
    if (data !== undefined || done || isSilent) {
      await reader?.cancel();
      return isSilent ? {} : JSON.parse(data ?? 'no event');
    }
  }
}
