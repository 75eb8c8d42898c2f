// Loaded ahead of a program: stops it when the process that started it is gone, however that one died.
// Windows keeps naming the dead parent, so nothing happens there.
const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
