/** Copies documents into a folder: the content as one file and the fields as JSON next to it, under the SHA-256 of the document's id. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { folderSettings } from '../../contract/shapes/destinations.ts'
import { message } from '../../contract/words/message.ts'
import type { Disk } from '../../world/world.ts'
import type { Document } from '../model/document.ts'
import { destinationKind, StepFault } from '../model/steps.ts'

export const folderCopy = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 1 },
  settings: folderSettings,
  open: ({ folder }, { world: { disk } }) => {
    const made = new Set<string>()
    return {
      async send(documents) {
        for (const document of documents) {
          const name = createHash('sha256').update(document.id).digest('hex')
          // A folder with a million files is slow in every program: 256 folders share them.
          const place = join(folder, name.slice(0, 2))
          if (document.isRemoval) {
            await remove(disk, { place, name })
            continue
          }
          if (!made.has(place)) await disk.makeFolder(place)
          made.add(place)
          await write(disk, join(place, name), document)
        }
        return documents.map(() => ({ isAccepted: true }))
      },
      async check() {
        if ((await disk.stat(folder))?.kind !== 'folder')
          throw new StepFault(message('output.noFolder', { folder }), { failure: 'notSent' })
      },
    }
  },
})

async function write(disk: Disk, path: string, document: Document): Promise<void> {
  const { id, parentId, originalId, fields, content } = document
  const { bytes, isTruncated } = await content.load()
  await disk.write(path, bytes)
  await disk.write(
    `${path}.json`,
    Buffer.from(JSON.stringify({ id, parentId, originalId, isTruncated, fields }, null, 2)),
  )
}

/** The fields go last: what has fields and no content is removed again. The folder is synced even if the files are gone already: a process
 *  that was killed may have removed them, and a power cut would bring them back. */
async function remove(disk: Disk, { place, name }: { place: string; name: string }): Promise<void> {
  if (!(await disk.stat(place))) return
  for (const each of [join(place, name), join(place, `${name}.json`)])
    if (await disk.stat(each)) await disk.remove(each)
  await disk.syncFolder(place)
}
