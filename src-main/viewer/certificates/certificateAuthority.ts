/** The certificate authority of an archive, so that archived https pages can be shown under their own URLs. It is created on
 *  first use and stored in the archive's folder. Only browser windows that Loupe opens trust it (Chromium gets the fingerprint
 *  of its key); the system's list of authorities is not changed. */
import { message } from '../../contract/words/message.ts'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Fault } from '../../contract/calls/faults.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { curve, leafDays, type KeyPair } from './keyPair.ts'
import { leavesMax } from '../model/limits.ts'

const dayMs = 86_400_000
/** Maximum size of the file with key and certificate, which has about two kilobytes. */
const pemBytesMax = 64 * 1024

/** An open certificate authority. */
export interface CertificateAuthority {
  /** Path of the certificate as a PEM file, for a browser or tool that is to trust it. */
  readonly path: string
  readonly pem: string
  /** SHA-256 of the public key in base64, as in Chromium's option --ignore-certificate-errors-spki-list. */
  readonly spkiSha256: string
  /** The TLS context for a host name or IP address. The last `leavesMax` are kept; one that could not be made is not. */
  contextFor(host: string): Promise<SecureContext>
}

/** Opens the certificate authority in `folder`, or creates it there. Throws `Fault` damaged if its file is damaged. */
export async function openCertificateAuthority({
  folder,
  world,
}: {
  folder: string
  world: World
}): Promise<CertificateAuthority> {
  await world.disk.makeFolder(folder)
  const identity = (await readIdentity(folder, world)) ?? (await makeIdentity(folder, world))
  const path = join(folder, 'loupe-authority.pem')
  await writeWhenDifferent(path, identity.pem, world)
  return certificateAuthorityOf(identity, path, world)
}

/** Keys and certificate (PEM) of the certificate authority. */
interface Identity {
  keys: KeyPair
  pem: string
}

/** Key and certificate are in one file that is written atomically, so after a crash they always match. */
const identityFile = 'loupe-authority.private.pem'

async function readIdentity(folder: string, world: World): Promise<Identity | undefined> {
  const path = join(folder, identityFile)
  const text = await readText(path, world)
  if (text === undefined) return undefined
  const { identity, untilMs } = parseIdentity(text, path)
  // Renewed from the same key before a host's certificate could outlive it. Browsers that trust the key keep trusting it.
  const isEnding = untilMs < world.clock.now() + leafDays * dayMs
  return isEnding ? writeIdentity({ keys: identity.keys, folder, world }) : identity
}

/** Parses the file, and checks that the key belongs to the certificate. Throws `Fault` damaged. */
function parseIdentity(text: string, path: string): { identity: Identity; untilMs: number } {
  const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(text)?.[0] ?? ''
  try {
    const privateKey = createPrivateKey(text)
    const certificate = new X509Certificate(pem)
    if (!certificate.ca || !certificate.checkPrivateKey(privateKey)) {
      throw new Error('the key is not that of the certificate')
    }
    return {
      identity: { keys: { privateKey, publicKey: createPublicKey(privateKey) }, pem },
      untilMs: certificate.validToDate.getTime(),
    }
  } catch (cause) {
    throw new Fault('damaged', message('viewer.certificateAuthority.damaged', { path }), { cause })
  }
}

function makeIdentity(folder: string, world: World): Promise<Identity> {
  return writeIdentity({ keys: generateKeyPairSync('ec', { namedCurve: curve }), folder, world })
}

/** Makes a certificate for the keys and stores both, for this account only. */
async function writeIdentity({
  keys,
  folder,
  world,
}: {
  keys: KeyPair
  folder: string
  world: World
}): Promise<Identity> {
  const { selfSigned } = await import('./certificates.ts')
  const pem = await selfSigned(keys, world.clock.now())
  const both = `${keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}${pem}`
  await world.disk.write(join(folder, identityFile), Buffer.from(both), 'closed')
  return { keys, pem }
}

/** Makes the certificate authority. Certificates of hosts are made when they are first needed, and again before they expire. */
function certificateAuthorityOf(identity: Identity, path: string, world: World): CertificateAuthority {
  const spki = new X509Certificate(identity.pem).publicKey.export({ type: 'spki', format: 'der' })
  // One key for all hosts. A browser checks name and signature, and making a key takes longer than both.
  const leafKeys = generateKeyPairSync('ec', { namedCurve: curve })
  const keyPem = leafKeys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const leaves = new Map<string, { context: Promise<SecureContext>; untilMs: number }>()

  const make = async (host: string): Promise<SecureContext> => {
    const { leafFor } = await import('./certificates.ts')
    const leaf = await leafFor({
      host,
      certificateAuthority: identity,
      publicKey: leafKeys.publicKey,
      nowMs: world.clock.now(),
    })
    // The chain includes the certificate authority, because Chromium compares its list of trusted keys with every
    // certificate that is sent.
    return createSecureContext({ key: keyPem, cert: `${leaf}\n${identity.pem}` })
  }
  return {
    path,
    pem: identity.pem,
    spkiSha256: createHash('sha256').update(spki).digest('base64'),
    contextFor(name) {
      const host = certifiedName(name)
      const kept = leaves.get(host)
      leaves.delete(host)
      const leaf =
        kept && kept.untilMs > world.clock.now()
          ? kept
          : { context: make(host), untilMs: world.clock.now() + (leafDays - 1) * dayMs }
      leaves.set(host, leaf)
      void leaf.context.catch(() => leaves.get(host) === leaf && leaves.delete(host))
      const [oldest] = leaves.keys()
      if (leaves.size > leavesMax && oldest !== undefined) leaves.delete(oldest)
      return leaf.context
    },
  }
}

/** Normalises a host name for a certificate: no trailing dot (RFC 5280 4.2.1.6, RFC 1034 3.5), and IPv6 addresses in their
 *  short form, because @peculiar/x509 2.2.0 misreads the dots of `::ffff:192.0.2.7`. */
function certifiedName(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host.toLowerCase().replace(/\.$/, '')
}

/** Reads a small file; undefined when there is none. */
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
