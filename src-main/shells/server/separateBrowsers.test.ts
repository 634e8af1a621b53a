import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { separateBrowsers } from './separateBrowsers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-browsers-'))
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const wanted = {
  proxyPort: 1,
  spkiSha256: '',
  user: 'u',
  password: 'p',
  enter: 'http://loupe.viewer.invalid/enter?url=x',
}

test('when no browser is found, gives the reason and the remedy', async () => {
  vi.stubEnv('LOUPE_CHROMIUM', join(folder, 'none'))
  await expect(separateBrowsers(folder).start(wanted)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/none, which does not exist\. To fix this: unset LOUPE_CHROMIUM$/) as string,
  })
})

test('profiles left by a kill are removed at the next start with their archive, and no others', async () => {
  const [own, other] = [separateBrowsers(join(folder, 'own')), separateBrowsers(join(folder, 'other'))]
  const left = [await mkdtemp(own.profilePrefix), await mkdtemp(own.profilePrefix), await mkdtemp(other.profilePrefix)]
  await separateBrowsers(join(folder, 'elsewhere', '..', 'own')).clearUp()
  expect(left.map(existsSync)).toEqual([false, false, true])
  await other.clearUp()
  expect(left.map(existsSync)).toEqual([false, false, false])
})
