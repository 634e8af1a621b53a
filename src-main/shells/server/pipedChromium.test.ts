import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstPage } from './devToolsPipe.ts'
import { controlled, startPiped } from './pipedChromium.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-piped-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Node in the place of Chromium, with something to do. */
async function started(script: string, path = process.execPath) {
  let profile = ''
  const chromium = await startPiped(path, {
    profilePrefix: join(folder, 'profile-'),
    argumentsFor({ profileFolder }) {
      profile = profileFolder
      return ['-e', script]
    },
  })
  return { chromium, profile }
}
const unended = { msMax: 2 ** 31 - 1, late: 'too late' }
const reading = "require('fs').createReadStream('', { fd: 3 }).resume()"

test('a browser that ends before it has answered gives the reason, and its profile is removed', async () => {
  const { chromium, profile } = await started("console.error('Missing X server'); process.exitCode = 3")
  const talking = controlled(chromium, { ...unended, run: firstPage })
  await expect(talking).rejects.toMatchObject({ code: 'unreachable', message: /ended with code 3: Missing X server$/ })
  expect(existsSync(profile)).toBe(false)
})

test('a browser that cannot be started gives the reason, and its profile is removed', async () => {
  const { chromium, profile } = await started('', join(folder, 'nothing'))
  const talking = controlled(chromium, { ...unended, run: firstPage })
  await expect(talking).rejects.toMatchObject({ code: 'unreachable', message: /nothing cannot be started: / })
  expect(existsSync(profile)).toBe(false)
})

test('a browser that never responds is abandoned and exits when its pipe closes', async () => {
  const { chromium, profile } = await started(reading)
  const talking = controlled(chromium, { msMax: 1, late: 'It is late.', run: () => new Promise(() => undefined) })
  await expect(talking).rejects.toMatchObject({ code: 'unreachable', message: 'It is late.' })
  expect(existsSync(profile)).toBe(true)
  await chromium.end()
  expect(existsSync(profile)).toBe(false)
})

test('answers are returned, and errors of our own are passed on unchanged', async () => {
  const { chromium } = await started(reading)
  expect(await controlled(chromium, { ...unended, run: async () => 'said' })).toBe('said')
  const talking = controlled(chromium, { ...unended, run: () => Promise.reject(new RangeError('mistaken')) })
  await expect(talking).rejects.toThrow(RangeError)
  await chromium.end()
})
