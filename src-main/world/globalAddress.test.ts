import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNonGlobal } from './globalAddress.ts'

type Edge = '' | `${string} ${'yes' | 'no'}`

/** Whether the last address before a block, its first, its last, and the first after it are reachable from the public Internet.
 *  Empty at the ends of the address space. */
const edges: [block: string, name: string, before: Edge, first: Edge, last: Edge, after: Edge][] = [
  // IANA IPv4 Special-Purpose Address Registry, multicast last
  ['0.0.0.0/8', '"This network"', '', '0.0.0.0 no', '0.255.255.255 no', '1.0.0.0 yes'],
  ['0.0.0.0/32', '"This host on this network"', '', '0.0.0.0 no', '0.0.0.0 no', '0.0.0.1 no'],
  ['10.0.0.0/8', 'Private-Use', '9.255.255.255 yes', '10.0.0.0 no', '10.255.255.255 no', '11.0.0.0 yes'],
  [
    '100.64.0.0/10',
    'Shared Address Space (carrier-grade NAT)',
    '100.63.255.255 yes',
    '100.64.0.0 no',
    '100.127.255.255 no',
    '100.128.0.0 yes',
  ],
  ['127.0.0.0/8', 'Loopback', '126.255.255.255 yes', '127.0.0.0 no', '127.255.255.255 no', '128.0.0.0 yes'],
  ['169.254.0.0/16', 'Link Local', '169.253.255.255 yes', '169.254.0.0 no', '169.254.255.255 no', '169.255.0.0 yes'],
  ['172.16.0.0/12', 'Private-Use', '172.15.255.255 yes', '172.16.0.0 no', '172.31.255.255 no', '172.32.0.0 yes'],
  [
    '192.0.0.0/24',
    'IETF Protocol Assignments',
    '191.255.255.255 yes',
    '192.0.0.0 no',
    '192.0.0.255 no',
    '192.0.1.0 yes',
  ],
  [
    '192.0.0.0/29',
    'IPv4 Service Continuity Prefix',
    '191.255.255.255 yes',
    '192.0.0.0 no',
    '192.0.0.7 no',
    '192.0.0.8 no',
  ],
  ['192.0.0.8/32', 'IPv4 dummy address', '192.0.0.7 no', '192.0.0.8 no', '192.0.0.8 no', '192.0.0.9 yes'],
  ['192.0.0.9/32', 'Port Control Protocol Anycast', '192.0.0.8 no', '192.0.0.9 yes', '192.0.0.9 yes', '192.0.0.10 yes'],
  [
    '192.0.0.10/32',
    'Traversal Using Relays around NAT Anycast',
    '192.0.0.9 yes',
    '192.0.0.10 yes',
    '192.0.0.10 yes',
    '192.0.0.11 no',
  ],
  ['192.0.0.170/32', 'NAT64/DNS64 Discovery', '192.0.0.169 no', '192.0.0.170 no', '192.0.0.170 no', '192.0.0.171 no'],
  ['192.0.0.171/32', 'NAT64/DNS64 Discovery', '192.0.0.170 no', '192.0.0.171 no', '192.0.0.171 no', '192.0.0.172 no'],
  ['192.0.2.0/24', 'Documentation (TEST-NET-1)', '192.0.1.255 yes', '192.0.2.0 no', '192.0.2.255 no', '192.0.3.0 yes'],
  ['192.31.196.0/24', 'AS112-v4', '192.31.195.255 yes', '192.31.196.0 yes', '192.31.196.255 yes', '192.31.197.0 yes'],
  ['192.52.193.0/24', 'AMT', '192.52.192.255 yes', '192.52.193.0 yes', '192.52.193.255 yes', '192.52.194.0 yes'],
  [
    '192.88.99.0/24',
    'Deprecated (6to4 Relay Anycast)',
    '192.88.98.255 yes',
    '192.88.99.0 no',
    '192.88.99.255 no',
    '192.88.100.0 yes',
  ],
  [
    '192.88.99.2/32',
    '6a44-relay anycast address',
    '192.88.99.1 no',
    '192.88.99.2 no',
    '192.88.99.2 no',
    '192.88.99.3 no',
  ],
  ['192.168.0.0/16', 'Private-Use', '192.167.255.255 yes', '192.168.0.0 no', '192.168.255.255 no', '192.169.0.0 yes'],
  [
    '192.175.48.0/24',
    'Direct Delegation AS112 Service',
    '192.175.47.255 yes',
    '192.175.48.0 yes',
    '192.175.48.255 yes',
    '192.175.49.0 yes',
  ],
  ['198.18.0.0/15', 'Benchmarking', '198.17.255.255 yes', '198.18.0.0 no', '198.19.255.255 no', '198.20.0.0 yes'],
  [
    '198.51.100.0/24',
    'Documentation (TEST-NET-2)',
    '198.51.99.255 yes',
    '198.51.100.0 no',
    '198.51.100.255 no',
    '198.51.101.0 yes',
  ],
  [
    '203.0.113.0/24',
    'Documentation (TEST-NET-3)',
    '203.0.112.255 yes',
    '203.0.113.0 no',
    '203.0.113.255 no',
    '203.0.114.0 yes',
  ],
  ['240.0.0.0/4', 'Reserved', '239.255.255.255 no', '240.0.0.0 no', '255.255.255.255 no', ''],
  ['255.255.255.255/32', 'Limited Broadcast', '255.255.255.254 no', '255.255.255.255 no', '255.255.255.255 no', ''],
  ['224.0.0.0/4', 'Multicast', '223.255.255.255 yes', '224.0.0.0 no', '239.255.255.255 no', '240.0.0.0 no'],
  // IANA IPv6 Special-Purpose Address Registry, other blocks last
  ['::1/128', 'Loopback Address', ':: no', '::1 no', '::1 no', '::2 no'],
  ['::/128', 'Unspecified Address', '', ':: no', ':: no', '::1 no'],
  [
    '::ffff:0:0/96',
    'IPv4-mapped Address',
    '::fffe:ffff:ffff no',
    '::ffff:0:0 no',
    '::ffff:ffff:ffff no',
    '::1:0:0:0 no',
  ],
  [
    '64:ff9b::/96',
    'IPv4-IPv6 Translat. (NAT64)',
    '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff no',
    '64:ff9b:: no',
    '64:ff9b::ffff:ffff no',
    '64:ff9b::1:0:0 no',
  ],
  [
    '64:ff9b:1::/48',
    'IPv4-IPv6 Translat. for local use',
    '64:ff9b:0:ffff:ffff:ffff:ffff:ffff no',
    '64:ff9b:1:: no',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff no',
    '64:ff9b:2:: no',
  ],
  [
    '100::/64',
    'Discard-Only Address Block',
    'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '100:: no',
    '100::ffff:ffff:ffff:ffff no',
    '100:0:0:1:: no',
  ],
  [
    '100:0:0:1::/64',
    'Dummy IPv6 Prefix',
    '100::ffff:ffff:ffff:ffff no',
    '100:0:0:1:: no',
    '100::1:ffff:ffff:ffff:ffff no',
    '100:0:0:2:: no',
  ],
  [
    '2001::/23',
    'IETF Protocol Assignments',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:: no',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:200:: yes',
  ],
  [
    '2001::/32',
    'TEREDO',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:: no',
    '2001:0:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:1:: no',
  ],
  ['2001:1::1/128', 'Port Control Protocol Anycast', '2001:1:: no', '2001:1::1 yes', '2001:1::1 yes', '2001:1::2 yes'],
  [
    '2001:1::2/128',
    'Traversal Using Relays around NAT Anycast',
    '2001:1::1 yes',
    '2001:1::2 yes',
    '2001:1::2 yes',
    '2001:1::3 yes',
  ],
  [
    '2001:1::3/128',
    'DNS-SD Service Registration Protocol Anycast',
    '2001:1::2 yes',
    '2001:1::3 yes',
    '2001:1::3 yes',
    '2001:1::4 no',
  ],
  [
    '2001:2::/48',
    'Benchmarking',
    '2001:1:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:2:: no',
    '2001:2:0:ffff:ffff:ffff:ffff:ffff no',
    '2001:2:1:: no',
  ],
  [
    '2001:3::/32',
    'AMT',
    '2001:2:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:3:: yes',
    '2001:3:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:4:: no',
  ],
  [
    '2001:4:112::/48',
    'AS112-v6',
    '2001:4:111:ffff:ffff:ffff:ffff:ffff no',
    '2001:4:112:: yes',
    '2001:4:112:ffff:ffff:ffff:ffff:ffff yes',
    '2001:4:113:: no',
  ],
  [
    '2001:10::/28',
    'Deprecated (previously ORCHID)',
    '2001:f:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:10:: no',
    '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:20:: yes',
  ],
  [
    '2001:20::/28',
    'ORCHIDv2',
    '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:20:: yes',
    '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:30:: yes',
  ],
  [
    '2001:30::/28',
    'Drone Remote ID Protocol Entity Tags (DETs) Prefix',
    '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:30:: yes',
    '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:40:: no',
  ],
  [
    '2001:db8::/32',
    'Documentation',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2001:db8:: no',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2001:db9:: yes',
  ],
  [
    '2002::/16',
    '6to4',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '2002:: no',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2003:: yes',
  ],
  [
    '2620:4f:8000::/48',
    'Direct Delegation AS112 Service',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff yes',
    '2620:4f:8000:: yes',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff yes',
    '2620:4f:8001:: yes',
  ],
  [
    '3fff::/20',
    'Documentation',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '3fff:: no',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '3fff:1000:: yes',
  ],
  [
    '5f00::/16',
    'Segment Routing (SRv6) SIDs',
    '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '5f00:: no',
    '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '5f01:: no',
  ],
  [
    'fc00::/7',
    'Unique-Local',
    'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'fc00:: no',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'fe00:: no',
  ],
  [
    'fe80::/10',
    'Link-Local Unicast',
    'fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'fe80:: no',
    'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'fec0:: no',
  ],
  ['::/96', 'IPv4-Compatible Address', '', ':: no', '::ffff:ffff no', '::1:0:0 no'],
  [
    '::ffff:0:0:0/96',
    'IPv4-translated address',
    '::fffe:ffff:ffff:ffff no',
    '::ffff:0:0:0 no',
    '::ffff:0:ffff:ffff no',
    '::ffff:1:0:0 no',
  ],
  [
    'fec0::/10',
    'Site-Local',
    'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'fec0:: no',
    'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'ff00:: no',
  ],
  [
    'ff00::/8',
    'Multicast',
    'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    'ff00:: no',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '',
  ],
  [
    '2000::/3',
    'Global Unicast',
    '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff no',
    '2000:: yes',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff yes',
    '4000:: no',
  ],
]

test.each(edges)('%s, %s: inside and at both edges', (_, __, ...addresses) => {
  for (const edge of addresses.filter((each) => each !== '')) {
    const [address = '', isReachable] = edge.split(' ')
    expect([address, isNonGlobal(address)]).toEqual([address, isReachable === 'no'])
  }
})

describe('an address that embeds an IPv4 address is judged by it', () => {
  const carriers: [name: string, at: (hexadecimal: string) => string][] = [
    ['IPv4-mapped', (ipv4) => `::ffff:${ipv4}`],
    ['IPv4-compatible', (ipv4) => `::${ipv4}`],
    ['IPv4-translated', (ipv4) => `::ffff:0:${ipv4}`],
    ['NAT64', (ipv4) => `64:ff9b::${ipv4}`],
    ['6to4', (ipv4) => `2002:${ipv4}:0:1::1`],
    ['a Teredo server', (ipv4) => `2001:0:${ipv4}:8000:63bf:${inverted(groups('8.8.8.8'))}`],
    ['a Teredo client', (ipv4) => `2001:0:${groups('8.8.8.8')}:8000:63bf:${inverted(ipv4)}`],
  ]
  const octet = fc.integer({ min: 0, max: 255 })
  const anyIpv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))

  test.each(carriers)('%s', (name, at) => {
    // Two addresses of ::/96 have a different meaning.
    const isOther = (ipv4: string) => name === 'IPv4-compatible' && /^0\.0\.0\.[01]$/.test(ipv4)
    const agrees = (ipv4: string) => {
      expect([ipv4, isNonGlobal(at(groups(ipv4)))]).toEqual([ipv4, isOther(ipv4) || isNonGlobal(ipv4)])
    }
    for (const [block, , before, first, last, after] of edges) {
      if (block.includes(':')) continue
      for (const edge of [before, first, last, after]) if (edge !== '') agrees(edge.split(' ')[0] ?? '')
    }
    fc.assert(fc.property(anyIpv4, agrees))
  })

  function groups(ipv4: string): string {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  }
  function inverted(hexadecimal: string): string {
    return hexadecimal
      .split(':')
      .map((group) => (0xffff - Number.parseInt(group, 16)).toString(16))
      .join(':')
  }
})

test.each([
  ['8.8.8.8', false],
  ['169.254.169.254', true],
  ['::FFFF:127.0.0.1', true],
  ['::ffff:8.8.8.8', false],
  ['0:0:0:0:0:ffff:7f00:1', true],
  ['64:FF9B::10.0.0.1', true],
  ['64:ff9b::8.8.8.8', false],
  ['2606:4700:4700::1111', false],
  ['fe80::1%eth0', true],
  ['localhost', false],
  ['loupe.test', false],
  ['', false],
])('%j, as it may be written', (address, expected) => {
  expect(isNonGlobal(address)).toBe(expected)
})

test('every notation of an IPv6 address gives the same verdict', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (all) => {
      const full = all.map((each) => each.toString(16).padStart(4, '0')).join(':')
      const canonical = new URL(`http://[${full}]`).hostname.slice(1, -1)
      expect(isNonGlobal(canonical)).toBe(isNonGlobal(full))
    }),
  )
})
