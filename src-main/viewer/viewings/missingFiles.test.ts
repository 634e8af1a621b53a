/** Files of a viewing that no replica can provide, although the index has their captures. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Archive } from '../../archive/store/archive.ts'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { filesMissingShownMax } from '../model/limits.ts'
import { askOver, viewerOver } from '../testing/viewerFixture.ts'
import type { Chosen, ViewerParts } from '../viewer.ts'

const at = '2021-01-01T00:00:00Z'
const nameOf = (number: number) => `1-${number}-a.warc.gz`
const urlOf = (number: number) => `http://example.com/${number}`
const chosen: Chosen = { jobs: [1], moment: { kind: 'newest' }, withinMs: undefined }

/** Opens a viewer whose indexes were built while all files were present. */
async function viewing(files: number, partsOver: (made: ArchiveFixture) => Partial<ViewerParts> = () => ({})) {
  const made = await createArchive()
  for (let number = 1; number <= files; number += 1)
    await made.add({ name: nameOf(number), job: 1, rows: [{ url: urlOf(number), at, body: `page ${number}` }] })
  const first = await viewerOver(made)
  await first.open(chosen)
  await first.close()
  const viewer = await viewerOver(made, partsOver(made))
  return {
    viewer,
    pathOf: (number: number) => join(made.folder, 'one', nameOf(number)),
    async status() {
      return (await askOver(viewer.proxy, `http://${viewer.commandHost}/getStatus`)).body.toString()
    },
    async [Symbol.asyncDispose]() {
      await viewer.close()
      await made[Symbol.asyncDispose]()
    },
  }
}

test('a file that disappeared from every replica after indexing is reported until it is back', async () => {
  await using opened = await viewing(2)
  const { viewer, pathOf, status } = opened
  expect((await viewer.open(chosen)).filesMissing).toEqual({ count: 0, first: [] })
  expect(await status()).not.toContain('WARNING')
  await rename(pathOf(2), `${pathOf(2)}.kept`)
  const { filesMissing, completeness } = await viewer.open(chosen)
  const reason: unknown = expect.objectContaining({ code: 'copy.unreadable' })
  expect(filesMissing).toEqual({ count: 1, first: [{ name: nameOf(2), reason }] })
  // The index is complete, since it was built before the file disappeared.
  expect(completeness.filesMissing).toEqual([])
  expect(await status()).toContain(`WARNING: no replica gives ${nameOf(2)}\n`)
  expect((await askOver(viewer.proxy, urlOf(1))).body.toString()).toBe('page 1')
  expect((await askOver(viewer.proxy, urlOf(2))).status).toBe(503)
  await rename(`${pathOf(2)}.kept`, pathOf(2))
  expect((await askOver(viewer.proxy, urlOf(2))).body.toString()).toBe('page 2')
  expect((await viewer.open(chosen)).filesMissing.count).toBe(0)
})

test('listeners are notified without waiting for the check', async () => {
  await using opened = await viewing(1)
  const { viewer, pathOf } = opened
  await rm(pathOf(1))
  const told = new Promise<number>((resolve) =>
    viewer.onView(({ filesMissing }) => filesMissing.count > 0 && resolve(filesMissing.count)),
  )
  await viewer.open(chosen, { atOnce: true })
  expect(await told).toBe(1)
})

test('of many missing files, all are counted and some are listed by name', async () => {
  const files = filesMissingShownMax + 3
  await using opened = await viewing(files)
  const { viewer, pathOf, status } = opened
  for (let number = 1; number <= files; number += 1) await rm(pathOf(number))
  const { filesMissing } = await viewer.open(chosen)
  expect([filesMissing.count, filesMissing.first.length]).toEqual([files, filesMissingShownMax])
  expect(await status()).toMatch(/ and 3 more$/m)
})

test('files of a closed viewing are not checked, and opening it is refused', async () => {
  const asked: string[] = []
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const heldUp = ({ archive }: ArchiveFixture): Archive =>
    Object.assign(Object.create(archive) as Archive, {
      async whyNotGiven(name: string) {
        asked.push(name)
        begun.resolve()
        await mayGoOn.promise
        return archive.whyNotGiven(name)
      },
    })
  await using opened = await viewing(2, (made) => ({ archive: heldUp(made) }))
  const { viewer } = opened
  const refused = expect(viewer.openOwn(chosen, urlOf(1))).rejects.toMatchObject({ code: 'refused' })
  await begun.promise
  for (const { user } of viewer.own()) viewer.leave(user)
  mayGoOn.resolve()
  await refused
  expect(asked).toEqual([nameOf(1)])
})

test('a bug while files are checked is reported', async () => {
  const problems: unknown[] = []
  const broken = ({ archive }: ArchiveFixture): Archive =>
    Object.assign(Object.create(archive) as Archive, {
      whyNotGiven: () => Promise.reject(new Error('the catalogue is damaged')),
    })
  await using opened = await viewing(1, (made) => ({
    archive: broken(made),
    onProblem: (error, failure) => problems.push([String(error), textOf(failure(message('text', { text: 'Bug.' })))]),
  }))
  await opened.viewer.open(chosen)
  expect(problems).toEqual([
    ['Error: the catalogue is damaged', 'Loupe could not check which files of job 1 are available. Bug.'],
  ])
})
