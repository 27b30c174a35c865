// What should the loop do with these outputs? The protocol, the judge and the caps once more, as short as they can be said.

export interface World {
  /** By canonical id. `own` is false for a file that starts with a heading. */
  readonly nodes: ReadonlyMap<string, { parent: string | null; names: readonly string[]; own: boolean }>
  readonly links: readonly { from: string; via: string; to: string; names: readonly string[] }[]
}
export type Limits = Readonly<Record<'budget' | 'depth' | 'turns' | 'refusals', number>>
type Request = Readonly<{ from: string | null; via: string; target: string }>

function isJson(text: string): boolean {
  try {
    return [JSON.parse(text)].length === 1
  } catch {
    return false
  }
}

/** Keys of the outermost object: strings before a colon, one bracket deep. */
function outerKeys(json: string): string[] {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g) ?? []
  let depth = 0
  return tokens.filter((token, at) => {
    depth += '{['.includes(token) ? 1 : ']}'.includes(token) ? -1 : 0
    return depth === 1 && token.startsWith('"') && tokens[at + 1] === ':'
  })
}

/** A fault, an answer, or a request. */
function read(output: string): string | Request {
  const text = (/^```(?:json)?[ \t]*\r?\n([\s\S]*)```$/.exec(output.trim())?.[1] ?? output).trim()
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => text.slice(0, index + 1))
  if (!isJson(text))
    return text.indexOf('{') > 0 || (text[0] === '{' && ends.some(isJson)) ? 'text_around_json' : 'not_json'
  const object = JSON.parse(text)
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return 'not_an_object'
  const keys = outerKeys(text).map((key) => JSON.parse(key))
  if (new Set(keys).size < keys.length) return 'duplicate_key'
  const given = new Map<string, unknown>(Object.entries(object).filter(([, value]) => value !== null))
  const action = given.get('action') as 'expand' | 'answer'
  if (action === undefined) return 'missing_key'
  if (typeof action !== 'string') return 'wrong_type'
  const needed = { expand: ['via', 'target_identifier'], answer: ['content'] }[action]
  if (needed === undefined) return 'unknown_action'
  const known = ['action', ...needed, action === 'expand' ? 'from' : 'source']
  for (const [key, value] of given) {
    if (!known.includes(key)) return 'unknown_key'
    if (typeof value !== 'string') return 'wrong_type'
  }
  if (!needed.every((key) => given.has(key))) return 'missing_key'
  if (action === 'answer') return /[\p{L}\p{N}]/u.test(object.content) ? 'answered' : 'empty_content'
  return { from: object.from ?? null, via: object.via, target: object.target_identifier }
}

const order = [
  'unknown_origin',
  'via_not_allowed',
  'target_not_in_metadata',
  'budget_exceeded',
  'depth_exceeded',
]

/** What is below `outer`, itself included. */
function isWithin(world: World, outer: string, id: string | null): boolean {
  return id !== null && (id === outer || isWithin(world, outer, world.nodes.get(id)?.parent ?? null))
}

function reach({ nodes, links }: World, from: string, via: string): [string, readonly string[]][] {
  const parent = nodes.get(from)?.parent ?? null
  if (via !== 'defines')
    return links
      .filter((link) => link.from === from && link.via === via)
      .map(({ to, names }) => [to, [...names, ...(nodes.get(to)?.names ?? [])]])
  return [...nodes]
    .filter(
      ([id, node]) =>
        id !== from &&
        (node.parent === from || (parent !== null && node.parent === parent) || (id === parent && node.own)),
    )
    .map(([id, { names }]) => [id, names])
}

/** A part of a document that is named as a whole may be asked for by its own id or anchor. */
function partsOf({ nodes }: World, near: readonly [string, readonly string[]][], target: string) {
  const [path, anchor] = target.split('#')
  const part = [...nodes].find(
    ([id, { names }]) =>
      id === target || (anchor !== undefined && id.startsWith(`${path}#`) && names[1] === anchor),
  )
  return part === undefined || anchor === undefined
    ? []
    : near.filter(([id]) => id === path).map((): [string, readonly string[]] => [part[0], [target]])
}

/** What happens output by output: `+target left`, a denial's reason, a fault, or `answered`. */
export function interpret(
  world: World,
  start: readonly (readonly string[])[],
  outputs: readonly string[],
  limits: Limits,
): string[] {
  const shown = [...start]
  const depths = new Map(start.flat().map((id) => [id, 0]))
  const depthOf = (id: string): number => depths.get(id) ?? 0
  let { budget } = limits

  const judge = (from: string, { via, target }: Request): string => {
    if (!depths.has(from)) return 'unknown_origin'
    if (!['links', 'cites', 'defines'].includes(via)) return 'via_not_allowed'
    const fold = (name: string): string => name.trim().toLowerCase()
    const reached = reach(world, from, via)
    const near = via === 'defines' ? reached : [...reached, ...partsOf(world, reached, target)]
    const byId = near.filter(([id]) => id === target)
    const byName = near.filter(([, names]) => names.includes(target))
    const byWord = near.filter(([, names]) => names.map(fold).includes(fold(target)))
    const named = [byId, byName, byWord].find(({ length }) => length > 0) ?? []
    if (named.length === 0) return 'target_not_in_metadata'
    if (budget < 1) return 'budget_exceeded'
    if (depthOf(from) + 1 > limits.depth) return 'depth_exceeded'
    const [fresh] = named
      .map(([id]) => id)
      .filter((id) => !depths.has(id))
      .sort()
    return fresh === undefined ? 'already_visited' : `+${fresh}`
  }

  const expand = (request: Request): string => {
    const { from } = request
    const all = [...depths.keys()]
    const section = shown[Number(/^S([1-9]\d*)$/.exec(from ?? '')?.[1]) - 1]
    // A path stands for everything of that document that is there; other names for themselves.
    const meant = (name: string): string[] => {
      const found = all.filter((id) => id === name || id.split('#')[0] === name)
      return found.length > 0 ? found : ['']
    }
    const groups = (from === null ? [all] : (section ?? [from]).map(meant)).map((origins) =>
      origins.map((origin) => ({ origin, verdict: judge(origin, request) })),
    )
    // A section's artifacts are tried in their order; within one name the shortest way is taken.
    const approved = groups.map((group) => group.filter(({ verdict }) => verdict.startsWith('+')))
    const [best] = (approved.find(({ length }) => length > 0) ?? []).sort(
      (a, b) => depthOf(a.origin) - depthOf(b.origin),
    )
    const reasons = groups.flat().map(({ verdict }) => verdict)
    const furthest = [...order, 'already_visited'].findLast((reason) => reasons.includes(reason))
    if (best === undefined) return furthest as string
    const target = best.verdict.slice(1)
    const depth = depthOf(best.origin) + 1
    const below = [...world.nodes]
      .filter(([id, { own }]) => own && isWithin(world, target, id))
      .map(([id]) => id)
    const came = isWithin(world, target, best.origin) ? [target] : [target, ...below]
    for (const id of came) if (!depths.has(id)) depths.set(id, depth)
    shown.push([target])
    budget--
    return `${best.verdict} ${budget}`
  }

  const happened: string[] = []
  for (const output of outputs) {
    const refused = happened.filter((step) => !step.startsWith('+')).length
    const last = happened.length + 1 >= limits.turns || refused >= limits.refusals
    const said = read(output)
    happened.push(typeof said === 'string' ? said : last ? 'must_answer' : expand(said))
    if (said === 'answered' || last) break
  }
  return happened
}
