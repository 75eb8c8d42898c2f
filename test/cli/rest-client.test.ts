import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createRestClient } from '../../src/cli/rest-client.ts';

test.each(['', '/', '/api/v1', '/api/v1/'])('--url may end with "%s"', async (ending) => {
  const paths: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.end('{}');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}/chat${ending}`;
  await createRestClient({ url, key: 'sk_test', projectId: null }).get('usage');
  expect(paths).toEqual(['/chat/api/v1/usage']);
});
