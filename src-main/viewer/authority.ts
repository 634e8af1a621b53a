/** This archive's own certificate authority, so that archived https pages can be shown under their own addresses. It is
 *  made on first use, lies in the archive's folder, and is trusted only by the browser windows that Loupe opens (Chromium
 *  gets the fingerprint of its key); nothing is added to the system's list of authorities. It knows no HTTP. */
import 'reflect-metadata'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  webcrypto,
  X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import * as x509 from '@peculiar/x509'
import { Fault } from '../contract/faults.ts'
import { DiskFault, type World } from '../world/world.ts'
import { leavesMax } from './limits.ts'

const dayMs = 86_400_000
const authorityDays = 3_650
/** Apple's and Chromium's rule for leaves (CA/Browser Forum, Ballot SC31): 398 days at most. */
const leafDays = 397
const pemBytesMax = 64 * 1024
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

export interface Authority {
  /** The authority's certificate as a PEM file, for a browser or a tool that is to trust it by hand. */
  readonly path: string
  readonly pem: string
  /** Base64 of the SHA-256 of its public key, as Chromium's --ignore-certificate-errors-spki-list takes it. */
  readonly spkiSha256: string
  /** What a TLS server needs to speak for this host name or address; made once and kept (bounded). */
  contextFor(host: string): Promise<SecureContext>
}

/** Opens the authority in `folder`, or makes it there. Throws `Fault` damaged when what lies there is not one. */
export async function openAuthority({ folder, world }: { folder: string; world: World }): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto)
  await world.disk.makeFolder(folder)
  const identity = (await readIdentity(folder, world)) ?? (await makeIdentity(folder, world))
  const path = join(folder, 'loupe-authority.pem')
  await writeWhenDifferent(path, identity.pem, world)
  return authorityOf(identity, path, world)
}

interface Identity {
  keys: CryptoKeyPair
  pem: string
}

interface CryptoKeyPair {
  privateKey: webcrypto.CryptoKey
  publicKey: webcrypto.CryptoKey
}

/** Key and certificate are one file: written all or nothing, so that a crash can never leave two that do not match. */
const identityFile = 'loupe-authority.private.pem'

async function readIdentity(folder: string, world: World): Promise<Identity | undefined> {
  const path = join(folder, identityFile)
  const text = await readText(path, world)
  if (text === undefined) return undefined
  const { identity, untilMs } = parseIdentity(text, path)
  // Made anew from the same key before a leaf could outlive it: what trusts the key goes on trusting it.
  const isEnding = untilMs < world.clock.now() + leafDays * dayMs
  return isEnding ? writeIdentity({ keys: identity.keys, folder, world }) : identity
}

function parseIdentity(text: string, path: string): { identity: Identity; untilMs: number } {
  const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(text)?.[0] ?? ''
  try {
    const privateKey = createPrivateKey(text)
    const certificate = new X509Certificate(pem)
    if (!certificate.ca || !certificate.checkPrivateKey(privateKey)) {
      throw new Error('the key is not that of the certificate')
    }
    const keys = {
      privateKey: privateKey.toCryptoKey(algorithm, true, ['sign']),
      publicKey: createPublicKey(privateKey).toCryptoKey(algorithm, true, ['verify']),
    }
    return { identity: { keys, pem }, untilMs: certificate.validToDate.getTime() }
  } catch (cause) {
    throw new Fault(
      'damaged',
      `the certificate authority in ${path} is damaged: move this file away and start again, and Loupe makes a new one (browsers that trusted the old one must be told)`,
      { cause },
    )
  }
}

function makeIdentity(folder: string, world: World): Promise<Identity> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = {
    privateKey: privateKey.toCryptoKey(algorithm, true, ['sign']),
    publicKey: publicKey.toCryptoKey(algorithm, true, ['verify']),
  }
  return writeIdentity({ keys, folder, world })
}

async function writeIdentity({
  keys,
  folder,
  world,
}: {
  keys: CryptoKeyPair
  folder: string
  world: World
}): Promise<Identity> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The number tells two archives' authorities apart in a browser's list.
    name: `CN=Loupe archive ${randomBytes(4).toString('hex')}, O=Loupe`,
    serialNumber: serialNumber(),
    ...validity(world, authorityDays),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const pem = `${certificate.toString('pem')}\n`
  const both = `${await privatePem(keys.privateKey)}${pem}`
  await world.disk.write(join(folder, identityFile), Buffer.from(both), 0o600)
  return { keys, pem }
}

function authorityOf(identity: Identity, path: string, world: World): Authority {
  const spki = new X509Certificate(identity.pem).publicKey.export({ type: 'spki', format: 'der' })
  // One key for every leaf: a browser checks the name and the signature, and making a key costs more than both.
  const leafKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyPem = leafKeys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const leafPublicKey = leafKeys.publicKey.toCryptoKey(algorithm, true, ['verify'])
  const leaves = new Map<string, { context: Promise<SecureContext>; untilMs: number }>()

  const make = async (host: string): Promise<SecureContext> => {
    const leaf = await leafFor({ host, identity, leafPublicKey, world })
    // The authority travels in the chain: Chromium's list of trusted keys is compared with every certificate sent.
    return createSecureContext({ key: keyPem, cert: `${leaf}\n${identity.pem}` })
  }
  return {
    path,
    pem: identity.pem,
    spkiSha256: createHash('sha256').update(spki).digest('base64'),
    contextFor(name) {
      const host = name.toLowerCase()
      const kept = leaves.get(host)
      leaves.delete(host)
      const leaf =
        kept && kept.untilMs > world.clock.now()
          ? kept
          : { context: make(host), untilMs: world.clock.now() + (leafDays - 1) * dayMs }
      leaves.set(host, leaf)
      const [oldest] = leaves.keys()
      if (leaves.size > leavesMax && oldest !== undefined) leaves.delete(oldest)
      return leaf.context
    },
  }
}

async function leafFor(made: {
  host: string
  identity: Identity
  leafPublicKey: webcrypto.CryptoKey
  world: World
}): Promise<string> {
  const { host, identity, leafPublicKey, world } = made
  const certificate = await x509.X509CertificateGenerator.create({
    // RFC 5280 A.1: a common name has at most 64 characters. Browsers read only the alternative name.
    subject: host.length <= 64 ? [{ CN: [host] }] : [],
    issuer: new x509.X509Certificate(identity.pem).subjectName,
    serialNumber: serialNumber(),
    ...validity(world, leafDays),
    signingAlgorithm: algorithm,
    publicKey: leafPublicKey,
    signingKey: identity.keys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(identity.keys.publicKey),
    ],
  })
  return certificate.toString('pem')
}

/** A day of grace: a laptop's clock may be set back between making and using. */
function validity(world: World, days: number): { notBefore: Date; notAfter: Date } {
  const nowMs = world.clock.now()
  return { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + (days - 1) * dayMs) }
}

/** RFC 5280 4.1.2.2: positive, at most 20 octets, hard to guess. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  return String(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' }))
}

async function readText(path: string, world: World): Promise<string | undefined> {
  try {
    return Buffer.from(await world.disk.read(path, pemBytesMax)).toString('latin1')
  } catch (error) {
    if (error instanceof DiskFault && error.code === 'absent') return undefined
    throw error
  }
}

async function writeWhenDifferent(path: string, text: string, world: World): Promise<void> {
  if ((await readText(path, world)) !== text) await world.disk.write(path, Buffer.from(text))
}
