/** A module of the user for tests, as text: a store that keeps its objects in the folder `home`, and reports as free space what the
 *  file `home` with the suffix `.free` contains. */
export const folderStoreModule = `
import { createReadStream, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export default async function openStore({ home }) {
  await mkdir(home, { recursive: true })
  const lengthOf = (path) => statSync(path, { throwIfNoEntry: false })?.size
  return {
    async *list() {
      for (const entry of await readdir(home, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !entry.name.endsWith('.new')) {
          const path = join(entry.parentPath, entry.name)
          yield { name: path.slice(home.length + 1), bytes: lengthOf(path) }
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
      const path = home + '.free'
      return lengthOf(path) === undefined ? undefined : Number(await readFile(path, 'utf8'))
    },
  }
}
`
