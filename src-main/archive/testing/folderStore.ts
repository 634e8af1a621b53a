/** A module of the user for tests, as text: a store that keeps its objects in the folder `home`, and has as much free space as the file
 *  `free` next to it says. */
export const folderStoreModule = `
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export default async function openStore({ home }) {
  await mkdir(home, { recursive: true })
  const lengthOf = async (path) => (await stat(path).catch(() => undefined))?.size
  return {
    async *list() {
      for (const entry of await readdir(home, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !entry.name.endsWith('.new')) {
          const path = join(entry.parentPath, entry.name)
          yield { name: path.slice(home.length + 1), bytes: await lengthOf(path) }
        }
    },
    stat: (name) => lengthOf(join(home, name)),
    async write(name, bytes) {
      const path = join(home, name)
      const file = await open(path + '.new', 'wx')
      try {
        for await (const piece of bytes) await file.write(piece)
        await file.sync()
        await rename(path + '.new', path)
      } catch (error) {
        await rm(path + '.new')
        throw error
      } finally {
        await file.close()
      }
    },
    read: (name, { from }) => createReadStream(join(home, name), { start: from }),
    async move(from, to) {
      await mkdir(dirname(join(home, to)), { recursive: true })
      await rename(join(home, from), join(home, to))
    },
    freeBytes: async () => {
      const text = await readFile(home + '.free', 'utf8').catch(() => '')
      return text === '' ? undefined : Number(text)
    },
  }
}
`
