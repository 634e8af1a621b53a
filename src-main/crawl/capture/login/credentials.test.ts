/** Credentials by name: setting, reading, replacing, removing and losing them. The database never contains a secret. */
import { expect, test } from 'vitest'
import { message } from '../../../contract/words/message.ts'
import { openStore } from '../../../storage/storage.ts'
import { seededWorld } from '../../../world/testing/seeded.ts'
import { openCredentials } from './credentials.ts'

function made() {
  const world = seededWorld({ seed: 3 })
  const store = openStore(':memory:')
  const open = (sealingKey?: string) => openCredentials({ store, world, folder: '/', sealingKey })
  return { world, store, open, run: world.run, credentials: open() }
}

const secret = { user: 'Jäsøn Doe', password: 'Secret, or not? \n"\\' }

test('a credential is set, listed without its secret, read by a harvest, replaced and removed', async () => {
  const { world, store, run, credentials, open } = made()
  expect(await run(credentials.set({ name: 'site', ...secret }))).toMatchObject({
    name: 'site',
    store: { kind: 'plainFile', isProtected: false },
  })
  expect(credentials.list()).toHaveLength(1)
  expect(JSON.stringify(credentials.list())).not.toMatch(/Secret|Doe/)
  expect(JSON.stringify(store.statement('SELECT * FROM credential').all({}))).not.toMatch(/Secret|Doe/)
  expect(await run(open().secretOf('site'))).toEqual({ secret })
  await run(credentials.set({ name: 'site', user: 'a', password: 'b' }))
  expect(await run(open().secretOf('site'))).toEqual({ secret: { user: 'a', password: 'b' } })
  const text = Buffer.from(await run(world.disk.read('/credentials.json', 10_000))).toString()
  expect(Object.keys(JSON.parse(text) as object)).toHaveLength(1)
  await run(credentials.remove('site'))
  expect(credentials.has('site')).toBe(false)
  expect(await run(open().secretOf('site'))).toEqual({ why: message('credential.missing', { name: 'site' }) })
})

test('a missing credential, a lost one and one in the store of another shell have their own reasons', async () => {
  const { world, run, open, credentials } = made()
  await expect(run(credentials.remove('none'))).rejects.toMatchObject({ code: 'notFound' })
  const sealing = open(Buffer.alloc(32).toString('base64'))
  expect((await run(sealing.keptIn())).kind).toBe('sealedFile')
  await run(sealing.set({ name: 'sealed', ...secret }))
  expect(await run(credentials.secretOf('sealed'))).toEqual({
    why: message('credential.elsewhere', { name: 'sealed', store: 'sealedFile' }),
  })
  await expect(run(credentials.remove('sealed'))).rejects.toMatchObject({ code: 'refused' })
  await run(credentials.set({ name: 'sealed', ...secret }))
  expect(await run(credentials.secretOf('sealed'))).toEqual({ secret })
  await run(world.disk.remove('/credentials.json'))
  expect(await run(credentials.secretOf('sealed'))).toEqual({
    why: message('credential.lost', { name: 'sealed' }),
  })
})

test('a refusal by the key store is a fault with the text of the key store', async () => {
  const { world, run, credentials } = made()
  const answers = { exitCode: 1, output: '', errors: '' }
  world.programs.offer('secret-tool', ({ words }) =>
    words[0] === 'store' ? { ...answers, errors: 'locked' } : answers,
  )
  await expect(run(credentials.set({ name: 'a', ...secret }))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('locked') as string,
  })
  expect(credentials.has('a')).toBe(false)
})

test('after a kill at any call either the old or the new credential is valid', async () => {
  for (let calls = 1, ended = false; !ended; calls++) {
    const { world, store, run, credentials } = made()
    await run(credentials.set({ name: 'site', user: 'old', password: 'old' }))
    ended = (await world.runUntilCut(credentials.set({ name: 'site', ...secret }), calls)) !== undefined
    const after = world.crash()
    const found = await after.run(openCredentials({ store, world: after, folder: '/' }).secretOf('site'))
    expect([secret.user, 'old']).toContain('secret' in found ? found.secret.user : found.why)
  }
})
