import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realDisk } from './realDisk.ts'

let folder: string
let handles: FileHandle
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-disk-'))
  await writeFile(join(folder, 'file'), 'bytes')
  const probe = await open(join(folder, 'file'))
  handles = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

test('a file whose length cannot be read is closed', async () => {
  const fault = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  const stat = vi.spyOn(handles, 'stat').mockRejectedValue(fault)
  await expect(realDisk.openWrite(join(folder, 'file'), 'append')).rejects.toMatchObject({ code: 'failed' })
  const [opened] = stat.mock.contexts as FileHandle[]
  // What Node gives for a closed handle.
  expect(opened?.fd).toBe(-1)
})
