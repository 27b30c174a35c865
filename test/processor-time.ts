// How long did this process compute? Milliseconds of processor time: other work on the machine does not count, as it does on a clock.

export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
