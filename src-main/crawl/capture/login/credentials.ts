/** Credentials by name. The database records which key store holds a credential and under which entry; account name and
 *  password are only in the key store, and are given only to the harvester.
 *
 *  A new secret is stored under a new entry before the database refers to it, and the old entry is removed afterwards. A kill in
 *  between leaves an unreferenced entry, never a reference to a missing one. */
import { message, type Message } from '../../../contract/words/message.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { keyStoreKinds, type CredentialRow, type KeptIn } from '../../../contract/services/login.ts'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import { credentialStatements, type CredentialEntry } from './credentials.sql.ts'
import type { Credentials as Secret } from './httpAccess.ts'
import { dataProtectionFile, plainFile, sealedFile } from './keyStore/fileStores.ts'
import { keptIn, KeyStoreFault, type KeyStore } from './keyStore/keyStore.ts'
import { keychain, secretTool } from './keyStore/programStores.ts'

/** The credentials of an archive. */
export interface Credentials {
  /** Where the next credential would be kept. */
  keptIn(): Promise<KeptIn>
  list(): CredentialRow[]
  has(name: string): boolean
  /** Adds or replaces a credential. Throws `Fault` if the key store refuses. */
  set(credential: Secret & { name: string }): Promise<CredentialRow>
  /** Removes a credential. Throws `Fault` if there is none of this name (notFound) or the key store refuses. */
  remove(name: string): Promise<void>
  /** Reads a secret, for the harvester; `why` explains to the user why it is not available. */
  secretOf(name: string): Promise<{ secret: Secret } | { why: Message }>
}

/** Settings of `openCredentials`. */
export interface CredentialsSetting {
  store: Store
  world: World
  /** The archive's folder, for the files that replace a key store. */
  folder: string
  /** 32 bytes in base64 from the system's own storage, if the shell that runs Loupe has access to it. */
  sealingKey?: string | undefined
}

/** The key stores, best first. The last one, a plain file, is always available. */
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

/** Opens the credentials of an archive. */
export function openCredentials(setting: CredentialsSetting): Credentials {
  const { store, world } = setting
  const sql = credentialStatements(store)
  const keyStores = keyStoresOf(setting)
  let preferred: Promise<KeyStore> | undefined

  /** The first key store that is available. Determined once, since each check may run a program. */
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
        // An old entry that cannot be removed now does no harm: the name refers to the new one.
        if (before) await forget(before).catch(unlessOf(KeyStoreFault))
        return rowOf(entry)
      }),
    remove: (name) =>
      faulting(async () => {
        const entry = sql.one.get({ name })
        if (!entry) throw new Fault('notFound', message('credential.unknown', { name }))
        await forget(entry)
        sql.remove.run({ name })
      }),
    async secretOf(name) {
      const entry = sql.one.get({ name })
      if (!entry) return { why: message('credential.missing', { name }) }
      const keyStore = storeOf(entry)
      if (!keyStore) return { why: whyUnreachable(entry) }
      try {
        const text = await keyStore.get(entry.entry)
        return text === undefined ? { why: message('credential.lost', { name }) } : { secret: unpacked(text) }
      } catch (error) {
        if (!(error instanceof KeyStoreFault)) throw error
        return { why: message('credential.unreadable', { name, why: error.userMessage }) }
      }
    },
  }
}

function whyUnreachable({ name, store }: CredentialEntry): Message {
  return message('credential.elsewhere', { name, store })
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
    throw new Fault('refused', message('credential.refused', { why: error.userMessage }), { cause: error })
  }
}

function unlessOf(kind: new (userMessage: Message) => Error): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof kind)) throw error
  }
}

/** Encodes a secret in printable ASCII, since some key stores alter or truncate other characters. */
function packed(secret: Secret): string {
  return Buffer.from(JSON.stringify(secret), 'utf8').toString('base64')
}

function unpacked(text: string): Secret {
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Secret
}
