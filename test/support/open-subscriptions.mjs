// Opens subscriptions in a separate process, so that measurements do not include the memory of the clients. Arguments:
// endpoint, token, body, number of subscriptions. Prints "open" when the server has accepted all of them.
import { Agent, request } from 'node:http';

const [endpoint, token, body, count] = process.argv.slice(2);
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const headers = {
  Accept: 'text/event-stream',
  'Content-Type': 'application/json',
  Authorization: `Bearer ${token}`,
};

function open() {
  return new Promise((resolve, reject) => {
    const call = request(endpoint, { method: 'POST', headers, agent }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`status ${response.statusCode}`));
    });
    call.on('error', reject);
    call.end(body);
  });
}

for (let left = Number(count); left > 0; left -= 50) {
  await Promise.all(Array.from({ length: Math.min(50, left) }, open));
}
process.stdout.write('open\n');
