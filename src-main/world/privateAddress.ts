/** Which addresses belong to this machine or to a private network. An archived page that names one must not make the harvester
 *  read what only this machine can see. */
import { BlockList, isIP } from 'node:net'

const ranges: readonly (readonly [network: string, bits: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'], // RFC 1122 3.2.1.3: this network
  ['10.0.0.0', 8, 'ipv4'], // RFC 1918
  ['100.64.0.0', 10, 'ipv4'], // RFC 6598: carrier-grade NAT
  ['127.0.0.0', 8, 'ipv4'], // RFC 1122 3.2.1.3: loopback
  ['169.254.0.0', 16, 'ipv4'], // RFC 3927: link-local, where clouds answer about themselves
  ['172.16.0.0', 12, 'ipv4'], // RFC 1918
  ['192.168.0.0', 16, 'ipv4'], // RFC 1918
  ['224.0.0.0', 3, 'ipv4'], // multicast, reserved and broadcast
  ['::', 127, 'ipv6'], // RFC 4291 2.5.2 and 2.5.3: unspecified and loopback
  ['fc00::', 7, 'ipv6'], // RFC 4193: unique local
  ['fe80::', 10, 'ipv6'], // RFC 4291 2.5.6: link-local
  ['ff00::', 8, 'ipv6'], // RFC 4291 2.7: multicast
]

const privateAddresses = new BlockList()
for (const [network, bits, family] of ranges) privateAddresses.addSubnet(network, bits, family)

/** False for a host name: only its addresses can be judged. */
export function isPrivate(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address.replace(/%.*$/, '')
  const version = isIP(plain)
  return version !== 0 && privateAddresses.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}
