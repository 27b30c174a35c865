// Does a path match a glob? `*` and `?` within a segment, `**` over any number of segments.

/** `matchesGlob('EIPS/eip-1.md', 'EIPS/**')` is true. Linear: each step advances in the path or in the glob. */
export function matchesGlob(path: string, glob: string): boolean {
  const segments = path.split('/')
  const wanted = glob.split('/').filter((segment) => segment !== '' && segment !== '.')
  return matchList(segments.length, wanted, {
    isMany: (part) => part === '**',
    matches: (index, part) => matchList(segments[index]!.length, [...part], matchChars(segments[index]!)),
  })
}

function matchChars(segment: string): ListRules {
  return { isMany: (part) => part === '*', matches: (index, part) => part === '?' || part === segment[index] }
}

interface ListRules {
  readonly isMany: (part: string) => boolean
  readonly matches: (index: number, part: string) => boolean
}

/** Matches a list against parts, some of which match many items: the last such part is the only place to retry from. */
function matchList(length: number, parts: readonly string[], rules: ListRules): boolean {
  let item = 0
  let part = 0
  let many = -1
  let retry = 0
  while (item < length) {
    const current = parts[part]
    if (current !== undefined && rules.isMany(current)) {
      many = part++
      retry = item
    } else if (current !== undefined && rules.matches(item, current)) {
      item++
      part++
    } else if (many !== -1) {
      part = many + 1
      item = ++retry
    } else return false
  }
  while (part < parts.length && rules.isMany(parts[part]!)) part++
  return part === parts.length
}
