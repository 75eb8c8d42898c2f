// Loaded ahead of a program: stops it when the process that started it is gone, however that one died.
// Windows keeps naming the dead parent, so nothing happens there.
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();
