// How do people read sizes and times? Plain words and few digits, the same in every locale.

/** `12345` → `12,345`. */
export function formatCount(count: number): string {
  let rest = String(Math.round(count))
  const groups: string[] = []
  while (rest.length > 3) {
    groups.unshift(rest.slice(-3))
    rest = rest.slice(0, -3)
  }
  return [rest, ...groups].join(',')
}

/** `3 files`, `1 file`. */
export function formatMany(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `1536` → `1.5 KB`. */
export function formatBytes(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  if (bytes < 1024) return `${Math.round(bytes)} B`
  let value = bytes
  let unit = -1
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** `1234` milliseconds → `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  const rest = Math.round(seconds) % 60
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long ago, in words: `just now`, `5 minutes ago`, `3 days ago`. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${formatMany(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${formatMany(hours, 'hour')} ago`
  return `${formatMany(Math.floor(hours / 24), 'day')} ago`
}
