/** Pictures with a real viewer: the URL and commands that the browser gets, the written files, and the unchanged state. The specs
 *  test the browser itself. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servicesFor } from '../../contract/calls/service.ts'
import type { contract, Loupe } from '../../contract/contract.ts'
import { createArchive, type ArchiveFixture } from '../../indexes/testing/archiveFixture.ts'
import { askOver, operator, viewerOver } from '../../viewer/testing/viewerFixture.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import type { EngineSetting } from '../given/engineSetting.ts'
import type { DrawnPage, PageToDraw } from '../given/drawnPage.ts'
import { picturesService } from './picturesService.ts'

const page = 'http://site.example/'
const drawn: DrawnPage = {
  ...{ bytes: Buffer.from('a picture'), url: page, captured: '2021-01-01T00:00:00.000Z' },
  ...{ isCut: false, isLoaded: true },
}
let made: ArchiveFixture
let viewer: Viewer

beforeAll(async () => {
  made = await createArchive()
  await made.add({ name: '1-1-a.warc.gz', job: 1, rows: [{ url: page, at: '2021-01-01T00:00:00Z', body: 'in 2021' }] })
  viewer = await viewerOver(made)
})
afterAll(async () => {
  await viewer.close()
  await made[Symbol.asyncDispose]()
})

function pictures(drawPage?: (wanted: PageToDraw) => Promise<DrawnPage>): Loupe['pictures'] {
  const setting: EngineSetting = { archiveFolder: made.folder, shell: 'server', version: '0', run: false }
  const parts = { viewer, world: made.world, software: 'Loupe/0' }
  const implementation = {
    pictures: picturesService({ ...parts, setting: { ...setting, ...(drawPage && { drawPage }) } }),
  }
  return servicesFor<Pick<typeof contract, 'pictures'>>(implementation, operator).pictures
}

const show = () => viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })

test('refuses without a view', async () => {
  await expect(pictures(async () => drawn).take({ url: page, form: 'png' })).rejects.toThrow('Nothing is being viewed')
})

test('explains that no browser is available', async () => {
  await show()
  await expect(pictures().take({ url: page, form: 'png' })).rejects.toThrow('This Loupe cannot draw pictures')
})

test('the browser uses a separate view, whose requests are not recorded as missing', async () => {
  const { view } = await show()
  const asked: PageToDraw[] = []
  const { take } = pictures(async (wanted) => {
    asked.push(wanted)
    expect((await askOver(viewer.proxy, page, { as: wanted })).body.toString()).toBe('in 2021')
    await askOver(viewer.proxy, `${page}never`, { as: wanted })
    return drawn
  })
  const taken = await take({ url: page, form: 'pdf' })
  expect(asked).toMatchObject([
    { enter: `http://${viewer.commandHost}/enter?url=${encodeURIComponent(page)}`, widthPx: 1280, form: 'pdf' },
  ])
  expect(viewer.misses(view)).toEqual([])
  expect(viewer.own()).toEqual([])
  expect(taken).toMatchObject({ url: page, captured: drawn.captured, bytes: 9, isCut: false, isLoaded: true })
  expect(taken.path).toBe(join(made.folder, 'pictures', 'site.example-20210101T000000Z.pdf'))
  expect(await readFile(taken.path, 'utf8')).toBe('a picture')
})

test('a second picture of a capture gets a different name', async () => {
  await show()
  const { take } = pictures(async () => drawn)
  const names = [await take({ url: page, form: 'png' }), await take({ url: page, form: 'png' })]
  expect(names.map(({ path }) => path.slice(-8))).toEqual(['000Z.png', '0Z-2.png'])
})

test('refuses addresses that are not of the archive', async () => {
  await show()
  const { take } = pictures(async () => ({ ...drawn, captured: null }))
  await expect(take({ url: page, form: 'png' })).rejects.toMatchObject({ code: 'notFound' })
})

test('takes one at a time, and leaves no files when a browser fails', async () => {
  await show()
  const [drawing, begun] = [Promise.withResolvers<DrawnPage>(), Promise.withResolvers<void>()]
  const { take } = pictures(() => {
    begun.resolve()
    return drawing.promise
  })
  const first = take({ url: page, form: 'png' })
  await expect(take({ url: page, form: 'png' })).rejects.toMatchObject({ code: 'inUse' })
  await begun.promise
  drawing.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(viewer.own()).toEqual([])
  await expect(take({ url: page, form: 'png' })).rejects.toThrow('gone')
})
