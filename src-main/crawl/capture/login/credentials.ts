/** Credentials by their names. The database says which key store has one and under which entry; name of the account and
 *  password lie there and nowhere else, and are given to the harvester alone.
 *
 *  A new secret gets a new entry before the database names it, and the old one is removed after: a kill in between leaves
 *  an entry that nothing leads to, never a name that leads to nothing. */
import { Fault } from '../../../contract/calls/faults.ts'
import { keyStoreKinds, type CredentialRow, type KeptIn } from '../../../contract/services/login.ts'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import { credentialStatements, type CredentialEntry } from './credentials.sql.ts'
import type { Credentials as Secret } from './httpAccess.ts'
import { dataProtectionFile, plainFile, sealedFile } from './keyStore/fileStores.ts'
import { keptIn, KeyStoreFault, type KeyStore } from './keyStore/keyStore.ts'
import { keychain, secretTool } from './keyStore/programStores.ts'

export interface Credentials {
  /** Where the next one would be kept. Throws `Fault`. */
  keptIn(): Promise<KeptIn>
  list(): CredentialRow[]
  has(name: string): boolean
  /** Throws `Fault` when the key store refuses. */
  set(credential: Secret & { name: string }): Promise<CredentialRow>
  /** Throws `Fault`: notFound, or the key store refuses. */
  remove(name: string): Promise<void>
  /** For the harvester. Why not, in a person's words, where it cannot be had. */
  secretOf(name: string): Promise<{ secret: Secret } | { why: string }>
}

export interface CredentialsSetting {
  store: Store
  world: World
  /** The archive's folder, where files that stand for a key store lie. */
  folder: string
  /** 32 bytes from the system's own storage, where a shell has such; base64. */
  sealingKey?: string | undefined
}

/** The best first; a plain file always answers. */
function keyStoresOf({ world, folder, sealingKey }: CredentialsSetting): KeyStore[] {
  const place = { disk: world.disk, folder }
  return [
    secretTool(world.programs),
    keychain(world.programs),
    dataProtectionFile(place, world.programs),
    ...(sealingKey === undefined ? [] : [sealedFile(place, Buffer.from(sealingKey, 'base64'))]),
    plainFile(place),
  ]
}

export function openCredentials(setting: CredentialsSetting): Credentials {
  const { store, world } = setting
  const sql = credentialStatements(store)
  const keyStores = keyStoresOf(setting)
  let preferred: Promise<KeyStore> | undefined

  /** Asked once: it takes a program each. */
  function best(): Promise<KeyStore> {
    return (preferred ??= firstThatAnswers(keyStores))
  }

  const storeOf = (entry: CredentialEntry) => keyStores.find(({ kind }) => kind === entry.store)

  function rowOf({ name, store: kind, setMs }: CredentialEntry): CredentialRow {
    return { name, set: new Date(setMs).toISOString(), store: keptIn(kind) }
  }

  async function forget(entry: CredentialEntry): Promise<void> {
    const keyStore = storeOf(entry)
    if (!keyStore) throw new KeyStoreFault(whyUnreachable(entry))
    await keyStore.remove(entry.entry)
  }

  return {
    keptIn: async () => keptIn((await best()).kind),
    list: () => sql.all.all({}).map(rowOf),
    has: (name) => sql.one.get({ name }) !== undefined,
    set: ({ name, user, password }) =>
      faulting(async () => {
        const keyStore = await best()
        const before = sql.one.get({ name })
        const entry = { name, store: keyStore.kind, entry: world.chance.uuid(), setMs: world.clock.now() }
        await keyStore.put(entry.entry, packed({ user, password }))
        sql.put.run(entry)
        // What cannot be removed now means nothing to anybody: its name leads elsewhere.
        if (before) await forget(before).catch(unlessOf(KeyStoreFault))
        return rowOf(entry)
      }),
    remove: (name) =>
      faulting(async () => {
        const entry = sql.one.get({ name })
        if (!entry) throw new Fault('notFound', `There is no credential "${name}".`)
        await forget(entry)
        sql.remove.run({ name })
      }),
    async secretOf(name) {
      const entry = sql.one.get({ name })
      if (!entry) return { why: `there is no credential "${name}". Set it, then restart the job` }
      const keyStore = storeOf(entry)
      if (!keyStore) return { why: whyUnreachable(entry) }
      try {
        const text = await keyStore.get(entry.entry)
        return text === undefined
          ? { why: `the key store no longer has the credential "${name}". Set it again` }
          : { secret: unpacked(text) }
      } catch (error) {
        if (!(error instanceof KeyStoreFault)) throw error
        return { why: `the credential "${name}" could not be read: ${error.message}` }
      }
    },
  }
}

function whyUnreachable({ name, store }: CredentialEntry): string {
  return `the credential "${name}" was saved by a different way of starting Loupe (${store}). Set it again here`
}

async function firstThatAnswers(keyStores: KeyStore[]): Promise<KeyStore> {
  for (const keyStore of keyStores) if (await keyStore.answers()) return keyStore
  throw new Error(`none of ${keyStoreKinds.join(', ')} answers, not even a file`)
}

async function faulting<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof KeyStoreFault)) throw error
    const text = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`
    throw new Fault('refused', text, { cause: error })
  }
}

function unlessOf(kind: new (text: string) => Error): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof kind)) throw error
  }
}

/** Printable ASCII: some key stores change other characters, or cut them off. */
function packed(secret: Secret): string {
  return Buffer.from(JSON.stringify(secret), 'utf8').toString('base64')
}

function unpacked(text: string): Secret {
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Secret
}
