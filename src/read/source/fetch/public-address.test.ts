import { describe, expect, it } from 'vitest'
import { chooseAddress, isPublicAddress, publicAddresses, readPublicUrl } from './public-address.ts'

describe('an address', () => {
  it.each(['1.1.1.1', '140.82.121.3', '2606:4700:4700::1111', '172.32.0.1', '100.128.0.1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...[
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.8',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '192.88.99.1',
    ],
    ...[
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
    ],
    ...[
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '64:ff9b:1::1',
      '2001:db8::1',
      '2002:a00:1::',
      '2001::1',
    ],
    ...['3fff::1', '100::1', 'fec0::1', 'localhost', '', '1.1.1'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('an address to fetch from', () => {
  it.each([
    ...[
      'http://example.org/x.git',
      'ssh://git@example.org/x',
      'git://example.org/x',
      'file:///etc',
      'ext::sh -c id',
    ],
    ...[
      'https://user:pass@example.org/x',
      'https://example.org/x?y',
      'https://example.org/x#y',
      '-oProxyCommand=id',
      '',
    ],
    ...[
      'https://127.0.0.1/x',
      'https://127.1/x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://[::1]/x',
    ],
    ...[
      'https://[::ffff:10.0.0.1]/x',
      'https://169.254.169.254/latest',
      'https://0/x',
      'https://017700000001/x',
    ],
    // What curl's list of pinned addresses reads otherwise: the name would be looked up again.
    ...['https://-example.org/x', 'https://+example.org/x', 'https://example.org./x', 'https://*/x'],
  ])('is not %s', (given) => {
    expect(() => readPublicUrl(given, publicAddresses)).toThrow(
      expect.objectContaining({ code: 'CANNOT_FETCH' }),
    )
  })

  it('is looked up once, and refused when any answer is not public', async () => {
    const url = readPublicUrl('https://example.org/x.git', publicAddresses)
    const choose = (...addresses: string[]): Promise<string> =>
      chooseAddress(url, { ...publicAddresses, lookup: async () => addresses })
    expect(await choose('1.1.1.1', '1.0.0.1')).toBe('1.1.1.1')
    for (const answers of [['10.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['1.1.1.1', '::1'], []])
      await expect(choose(...answers)).rejects.toMatchObject({ code: 'CANNOT_FETCH' })
    const unknown = { ...publicAddresses, lookup: () => Promise.reject(new Error('ENOTFOUND')) }
    await expect(chooseAddress(url, unknown)).rejects.toThrow(/does not resolve/)
  })
})
