// May this address be asked for somebody? Only one of the public internet: none of this machine, its networks or its cloud.
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { YoreError } from '../../../model/errors.ts'

/** What IANA's registries of special-purpose addresses keep from being public; multicast and what is reserved, too. */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4')

/** Of IPv6 only what is given out as global unicast, without what carries or translates other addresses. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Whom a fetch may ask; tests let it ask this machine. */
export interface AddressPolicy {
  readonly protocols: readonly string[]
  readonly isAllowed: (address: string) => boolean
  readonly lookup: (host: string) => Promise<readonly string[]>
}

export const publicAddresses: AddressPolicy = {
  protocols: ['https:'],
  isAllowed: isPublicAddress,
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
}

const refused = (why: string, cause?: unknown): YoreError => new YoreError('CANNOT_FETCH', why, { cause })

/**
 * Names as they are given out. What is looked at is pinned for curl in a list of its own, in which a sign in front of a
 * name means something else, and a name with a dot at its end is another: it would be looked up again.
 */
const hostShape = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)$/

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Whether it can be asked at all, without asking anybody. Throws CANNOT_FETCH. */
export function readPublicUrl(given: string, { protocols, isAllowed }: AddressPolicy): URL {
  const url = URL.parse(given)
  if (url === null || !protocols.includes(url.protocol))
    throw refused(`what is fetched has an address of ${protocols.join(' or ')}//`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refused('an address to fetch has no password, query or fragment')
  if (!hostShape.test(url.hostname)) throw refused('the name of the host is none that is given out')
  if (isIP(bareHost(url)) !== 0 && !isAllowed(bareHost(url))) throw refused('the address is not public')
  return url
}

/** The address to connect to: whatever the name says next time, this one was looked at. Throws CANNOT_FETCH. */
export async function chooseAddress(url: URL, policy: AddressPolicy): Promise<string> {
  const addresses = await policy.lookup(bareHost(url)).catch((cause: unknown) => {
    throw refused('the host is not known', cause)
  })
  // A name that leads to the inside as well as to the outside is not to be trusted with either.
  if (addresses.length === 0 || !addresses.every(policy.isAllowed)) throw refused('the address is not public')
  return addresses[0] as string
}
