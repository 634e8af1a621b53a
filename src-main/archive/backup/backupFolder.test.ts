import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import { expect, test } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { folderProblem, isApart } from './backupFolder.ts'

const archiveFolders = {
  archiveFolder: '/data/archive',
  replicas: [
    { name: 'ONE', folder: '/data/archive/replicas/ONE' },
    { name: 'TWO', folder: '/mnt/two' },
  ],
}

const folders: [folder: string, problem: RegExp | undefined][] = [
  ['/data/archive/backups', undefined],
  ['/data/archive/replicas', undefined],
  ['/mnt/three', undefined],
  ['/mnt/two-and-a-half', undefined],
  ['/mnt', undefined],
  ['/mnt/two', /is inside the folder of replica TWO/],
  ['/mnt/two/attic/backups', /is inside the folder of replica TWO/],
  ['/mnt/three/../two/x', /is inside the folder of replica TWO/],
  ['/data/archive/replicas/ONE', /is inside the folder of replica ONE/],
  ['/data/archive', /is the folder of the archive itself/],
  ['/data/archive/indexes/backups', /a folder that Loupe works in \(indexes\)/],
  ['/data/archive/jobs', /a folder that Loupe works in \(jobs\)/],
]
test.each(folders)('%s: %s', async (folder, problem) => {
  const world = seededWorld({ seed: 1 })
  const found = await world.run(folderProblem(world.disk, folder, archiveFolders))
  expect(found && textOf(found)).toEqual(problem === undefined ? undefined : expect.stringMatching(problem))
})

test('a link into a replica is not a separate folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-backup-folder-'))
  for (const name of ['archive', 'two', 'apart']) mkdirSync(join(folder, name))
  symlinkSync(join(folder, 'two'), join(folder, 'link'))
  const real = { archiveFolder: join(folder, 'archive'), replicas: [{ name: 'TWO', folder: join(folder, 'two') }] }
  const problemOf = (name: string) => folderProblem(realWorld().disk, join(folder, name), real)
  expect(await problemOf('link')).toMatchObject({ code: 'backup.folder.inReplica', values: { replica: 'TWO' } })
  expect(await problemOf('apart')).toBeUndefined()
  rmSync(folder, { recursive: true })
})

test('a folder is separate when it is on another file system than all others', async () => {
  const world = seededWorld({ seed: 1 })
  const { disk } = world
  for (const folder of ['/archive/backups', '/mnt/two', '/mnt/three']) await world.run(disk.makeFolder(folder))
  disk.mount('/mnt/two')
  disk.mount('/mnt/three')
  const apart = (folder: string, ...others: string[]) => world.run(isApart(disk, folder, others))
  expect(await apart('/mnt/three', '/archive', '/mnt/two')).toBe(true)
  expect(await apart('/archive/backups', '/archive', '/mnt/two')).toBe(false)
  expect(await apart('/mnt/two', '/archive', '/mnt/two')).toBe(false)
  // A replica on a drive that is not connected is not on a drive that is.
  expect(await apart('/mnt/three', '/archive', '/mnt/away')).toBe(true)
  expect(await apart('/mnt/away', '/archive')).toBeUndefined()
})
