// Lets a process be asked to collect, so that what remains is what it holds.
process.on('SIGUSR2', () => {
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});
