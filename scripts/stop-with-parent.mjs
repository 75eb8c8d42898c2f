// A program loads this module first. It stops the program when the parent process has exited for any reason. Has no
// effect on Windows, because Windows still reports the id of a parent that has exited.
const parent = process.ppid;

const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  process.kill(process.pid, 'SIGTERM');
}, 500);
timer.unref();
