/** Decides which IP addresses belong to the public Internet. An archived page that names any other must not make the
 *  harvester read data that only this machine or its network can see. Every address that Loupe connects to is checked here
 *  and nowhere else.
 *
 *  The rows are the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), as of October 2025, followed by space
 *  that has a registry of its own and is missing there: multicast, and IPv6 space that is not assigned. The row with the
 *  longest matching prefix applies, as in the registries: a globally reachable address may be in a block that is not. */
import { isIP } from 'node:net'

/** 'yes' and 'no' are the registry's column "Globally Reachable". 'embedded': the address contains an IPv4 address to which
 *  its packets are translated or tunnelled, and that address decides. */
type Reachable = 'yes' | 'no' | 'embedded'

/** A row of the registries. */
interface Block {
  network: Uint8Array
  prefixBits: number
  reachable: Reachable
  /** Position of the first byte of each IPv4 address that an address of this block contains. */
  embeddedAt: readonly EmbeddedAt[]
}

/** Where an address contains an IPv4 address. */
interface EmbeddedAt {
  byte: number
  /** Teredo stores the client's address with every bit inverted (RFC 4380 4). */
  isInverted?: boolean
}

const blocks: readonly Block[] = [
  // IANA IPv4 Special-Purpose Address Registry
  block('0.0.0.0/8', 'no'), // "This network", RFC 791 3.2
  block('0.0.0.0/32', 'no'), // "This host on this network", RFC 1122 3.2.1.3
  block('10.0.0.0/8', 'no'), // Private-Use, RFC 1918
  block('100.64.0.0/10', 'no'), // Shared Address Space (carrier-grade NAT), RFC 6598
  block('127.0.0.0/8', 'no'), // Loopback, RFC 1122 3.2.1.3
  block('169.254.0.0/16', 'no'), // Link Local, RFC 3927; cloud providers serve metadata and credentials here
  block('172.16.0.0/12', 'no'), // Private-Use, RFC 1918
  block('192.0.0.0/24', 'no'), // IETF Protocol Assignments, RFC 6890 2.1
  block('192.0.0.0/29', 'no'), // IPv4 Service Continuity Prefix, RFC 7335
  block('192.0.0.8/32', 'no'), // IPv4 dummy address, RFC 7600
  block('192.0.0.9/32', 'yes'), // Port Control Protocol Anycast, RFC 7723
  block('192.0.0.10/32', 'yes'), // Traversal Using Relays around NAT Anycast, RFC 8155
  block('192.0.0.170/32', 'no'), // NAT64/DNS64 Discovery, RFC 8880, RFC 7050 2.2
  block('192.0.0.171/32', 'no'), // NAT64/DNS64 Discovery, RFC 8880, RFC 7050 2.2
  block('192.0.2.0/24', 'no'), // Documentation (TEST-NET-1), RFC 5737
  block('192.31.196.0/24', 'yes'), // AS112-v4, RFC 7535
  block('192.52.193.0/24', 'yes'), // AMT, RFC 7450
  block('192.88.99.0/24', 'no'), // Deprecated (6to4 Relay Anycast), RFC 7526: no longer listed as reachable
  block('192.88.99.2/32', 'no'), // 6a44-relay anycast address, RFC 6751
  block('192.168.0.0/16', 'no'), // Private-Use, RFC 1918
  block('192.175.48.0/24', 'yes'), // Direct Delegation AS112 Service, RFC 7534
  block('198.18.0.0/15', 'no'), // Benchmarking, RFC 2544
  block('198.51.100.0/24', 'no'), // Documentation (TEST-NET-2), RFC 5737
  block('203.0.113.0/24', 'no'), // Documentation (TEST-NET-3), RFC 5737
  block('240.0.0.0/4', 'no'), // Reserved, RFC 1112 4
  block('255.255.255.255/32', 'no'), // Limited Broadcast, RFC 8190, RFC 919 7
  // Other IPv4 space
  block('224.0.0.0/4', 'no'), // Multicast, RFC 5771
  block('0.0.0.0/0', 'yes'),
  // IANA IPv6 Special-Purpose Address Registry
  block('::1/128', 'no'), // Loopback Address, RFC 4291
  block('::/128', 'no'), // Unspecified Address, RFC 4291
  block('::ffff:0:0/96', 'embedded', { byte: 12 }), // IPv4-mapped Address, RFC 4291: the system connects to the IPv4 address
  block('64:ff9b::/96', 'embedded', { byte: 12 }), // IPv4-IPv6 Translat. (NAT64), RFC 6052 2.2
  block('64:ff9b:1::/48', 'no'), // IPv4-IPv6 Translat. for local use, RFC 8215
  block('100::/64', 'no'), // Discard-Only Address Block, RFC 6666
  block('100:0:0:1::/64', 'no'), // Dummy IPv6 Prefix, RFC 9780
  block('2001::/23', 'no'), // IETF Protocol Assignments, RFC 2928
  block('2001::/32', 'embedded', { byte: 4 }, { byte: 12, isInverted: true }), // TEREDO, RFC 4380 4: server and client
  block('2001:1::1/128', 'yes'), // Port Control Protocol Anycast, RFC 7723
  block('2001:1::2/128', 'yes'), // Traversal Using Relays around NAT Anycast, RFC 8155
  block('2001:1::3/128', 'yes'), // DNS-SD Service Registration Protocol Anycast, RFC 9665
  block('2001:2::/48', 'no'), // Benchmarking, RFC 5180
  block('2001:3::/32', 'yes'), // AMT, RFC 7450
  block('2001:4:112::/48', 'yes'), // AS112-v6, RFC 7535
  block('2001:10::/28', 'no'), // Deprecated (previously ORCHID), RFC 4843
  block('2001:20::/28', 'yes'), // ORCHIDv2, RFC 7343
  block('2001:30::/28', 'yes'), // Drone Remote ID Protocol Entity Tags (DETs) Prefix, RFC 9374
  block('2001:db8::/32', 'no'), // Documentation, RFC 3849
  block('2002::/16', 'embedded', { byte: 2 }), // 6to4, RFC 3056 2
  block('2620:4f:8000::/48', 'yes'), // Direct Delegation AS112 Service, RFC 7534
  block('3fff::/20', 'no'), // Documentation, RFC 9637
  block('5f00::/16', 'no'), // Segment Routing (SRv6) SIDs, RFC 9602
  block('fc00::/7', 'no'), // Unique-Local, RFC 4193
  block('fe80::/10', 'no'), // Link-Local Unicast, RFC 4291
  // Other IPv6 space
  block('::/96', 'embedded', { byte: 12 }), // IPv4-Compatible Address, deprecated by RFC 4291 2.5.5.1
  block('::ffff:0:0:0/96', 'embedded', { byte: 12 }), // IPv4-translated address, RFC 2765 2.1
  block('fec0::/10', 'no'), // Site-Local, deprecated by RFC 3879; still used inside networks
  block('ff00::/8', 'no'), // Multicast, RFC 4291 2.7
  block('2000::/3', 'yes'), // Global Unicast: the only space from which IANA assigns addresses of the Internet
  block('::/0', 'no'),
]

/** Tells whether an address is not on the public Internet. False for a host name: it may resolve to any address, so its
 *  addresses have to be checked. */
export function isNonGlobal(address: string): boolean {
  const bytes = bytesOf(address)
  return bytes !== undefined && !isReachable(bytes)
}

/** Whether the row of the address, or that of every address embedded in it, is globally reachable. */
function isReachable(address: Uint8Array): boolean {
  const { reachable, embeddedAt } = blockOf(address)
  if (reachable !== 'embedded') return reachable === 'yes'
  return embeddedAt.every(({ byte, isInverted = false }) =>
    isReachable(address.subarray(byte, byte + 4).map((part) => (isInverted ? ~part : part))),
  )
}

/** Returns the row with the longest matching prefix. */
function blockOf(address: Uint8Array): Block {
  const [longest] = blocks
    .filter((candidate) => contains(candidate, address))
    .sort((one, other) => other.prefixBits - one.prefixBits)
  if (longest === undefined) throw new Error('a row without a prefix contains every address')
  return longest
}

function contains({ network, prefixBits }: Block, address: Uint8Array): boolean {
  if (network.length !== address.length) return false
  const wholeBytes = prefixBits >> 3
  if (!network.subarray(0, wholeBytes).every((part, at) => part === address[at])) return false
  const restBits = prefixBits & 7
  return restBits === 0 || ((network[wholeBytes] ?? 0) ^ (address[wholeBytes] ?? 0)) >> (8 - restBits) === 0
}

/** Makes a row from its prefix in CIDR notation (RFC 4632, RFC 4291 2.3). */
function block(cidr: string, reachable: Reachable, ...embeddedAt: EmbeddedAt[]): Block {
  const [text = '', bits] = cidr.split('/')
  const network = bytesOf(text)
  if (network === undefined) throw new Error(`${cidr} is not an address block`)
  return { network, prefixBits: Number(bits), reachable, embeddedAt }
}

/** Returns the 4 or 16 bytes of an address in any of its text forms (RFC 4291 2.2), without its zone (RFC 4007 11). */
function bytesOf(address: string): Uint8Array | undefined {
  const text = address.replace(/%.*$/s, '')
  const version = isIP(text)
  if (version === 0) return undefined
  if (version === 4) return Uint8Array.from(text.split('.'), Number)
  const hexadecimal = text.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [before = '', after = ''] = hexadecimal.split('::')
  const [front, back] = [groupsOf(before), groupsOf(after)]
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0)
  return Uint8Array.from([...front, ...zeros, ...back].flatMap((group) => [group >> 8, group & 0xff]))
}

/** Returns the 16-bit groups of an IPv6 address before or after `::`. */
function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
