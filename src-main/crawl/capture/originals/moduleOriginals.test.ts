import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../../contract/words/render.ts'
import { realWorld } from '../../../world/real.ts'
import { moduleOriginals } from './moduleOriginals.ts'

test('a module that fails again and again is asked no more in this run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-module-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'index.mjs')
  await writeFile(
    path,
    `let asked = 0
     export default () => ({
       lookUp() { asked += 1; if (asked === 5) return []; throw new Error(String(asked)) },
       close() { globalThis.timesAsked = asked },
     })`,
  )
  const logged: string[] = []
  const originals = await moduleOriginals({
    world: realWorld(),
    archive: { openFile: async () => undefined },
    deduplication: { match: 'url', excludedTypes: [] },
    module: { path, settings: {}, archiveFolders: [] },
    log: (_, line) => void logged.push(textOf(line)),
  })
  // Four failures, an answer, and twenty failures in a row.
  for (let asked = 0; asked < 40; asked++) expect(await originals.ofUrl('http://a.example/')).toBeUndefined()
  expect(logged).toEqual([
    'The module of the deduplication index failed: 1',
    'The module of the deduplication index failed 20 times in a row: this run asks it no more, and stores content again',
  ])
  await originals.close()
  expect((globalThis as { timesAsked?: number }).timesAsked).toBe(25)
})
