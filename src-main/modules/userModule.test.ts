import { expect, test } from 'vitest'
import { textOf } from '../contract/words/render.ts'
import { DiskFault } from '../world/world.ts'
import { loadModule, pathOfModule } from './userModule.ts'

test('a module, or a folder of the archive, that cannot be examined is a refusal and no fault of the disk', async () => {
  const file = { name: 'a.mjs', kind: 'file', bytes: 1, modifiedAtMs: 0, mode: 0o600 } as const
  const disk = {
    stat: async (path: string) => {
      if (path === '/closed') throw new DiskFault('denied', path)
      return file
    },
    realPath: async (path: string) => path,
  }
  const field = ['module']
  await expect(pathOfModule(disk, '/a.mjs', { archiveFolders: ['/closed'], field })).rejects.toMatchObject({
    code: 'refused',
    fields: [field],
  })
  const opened = await loadModule(disk, { path: '/a.mjs', settings: {}, archiveFolders: ['/closed'] }, [])
  expect('problem' in opened && textOf(opened.problem)).toMatch(/\/closed cannot be read/)
})
