// For `NODE_OPTIONS=--import`: appends the hosts that this process connects to or looks up to CONNECTIONS_FILE, one a line.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const record = (host) => appendFileSync(process.env.CONNECTIONS_FILE, `${host}\n`);

/** Calls `observe` with the arguments of each call, before the method itself. */
function watch(owner, name, observe) {
  const original = owner[name];
  owner[name] = function (...args) {
    observe(...args);
    return original.apply(this, args);
  };
}

watch(net.Socket.prototype, 'connect', (first, second) => {
  const options = Array.isArray(first) ? first[0] : first;
  if (typeof options !== 'object') record(second);
  else if (options.path === undefined) record(options.host ?? 'localhost');
});
watch(dns, 'lookup', record);
for (const name of Object.keys(dns).filter((key) => /^resolve/.test(key))) watch(dns, name, record);
watch(dgram.Socket.prototype, 'connect', (_port, host) => record(host));
watch(dgram.Socket.prototype, 'send', () => record('a datagram'));
syncBuiltinESMExports();
