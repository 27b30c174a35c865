// How is a number of bytes said to a person?

/**
 * @example describeSize(3_250_585) // '3.1 MB'
 */
export function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const inMegabytes = bytes >= 1024 * 1024
  const value = bytes / (inMegabytes ? 1024 * 1024 : 1024)
  return `${Math.round(value * 10) / 10} ${inMegabytes ? 'MB' : 'KB'}`
}

/** Why a file is too large, in one sentence part. */
export function describeExcess(bytes: number, limit: number): string {
  const size = describeSize(bytes)
  const most = describeSize(limit)
  return size === most ? `${bytes} bytes, the limit is ${limit} bytes` : `${size}, the limit is ${most}`
}
