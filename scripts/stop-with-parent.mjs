// Loaded before a program. Stops the program when its parent process has exited for any reason. Has no effect on
// Windows, which keeps reporting the id of the exited parent.
const parent = process.ppid;

const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  process.kill(process.pid, 'SIGTERM');
}, 500);
timer.unref();
