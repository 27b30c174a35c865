// May yore connect to this address for a caller? Only to the public internet, not to this machine, its networks or its cloud.
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { YoreError } from '../../../model/errors.ts'

/** Addresses that IANA's special-purpose registries reserve, and multicast. */
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

/** IPv6: only global unicast, without addresses that carry or translate others. */
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

/** Which addresses a fetch may use; tests allow this machine. */
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
 * Host names in the form that registries allow. curl pins checked addresses in a list where a leading sign has a meaning,
 * and where a name with a final dot is another name, which curl would resolve again.
 */
const hostShape = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?)$/

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Checks the URL without network access. Throws CANNOT_FETCH. */
export function readPublicUrl(given: string, { protocols, isAllowed }: AddressPolicy): URL {
  const url = URL.parse(given)
  if (url === null || !protocols.includes(url.protocol))
    throw refused(`only ${protocols.join(' or ')}// addresses can be fetched`)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refused('the address must not have a password, query or fragment')
  if (!hostShape.test(url.hostname)) throw refused('the host name is not valid')
  if (isIP(bareHost(url)) !== 0 && !isAllowed(bareHost(url))) throw refused('the address is not public')
  return url
}

/** Resolves the host and returns the address to connect to. Throws CANNOT_FETCH. */
export async function chooseAddress(url: URL, policy: AddressPolicy): Promise<string> {
  const addresses = await policy.lookup(bareHost(url)).catch((cause: unknown) => {
    throw refused('the host name does not resolve', cause)
  })
  // A name that resolves to both private and public addresses is not trusted.
  if (addresses.length === 0 || !addresses.every(policy.isAllowed)) throw refused('the address is not public')
  return addresses[0] as string
}
