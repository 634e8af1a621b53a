/** Copies documents into a folder: the content as one file and the fields as JSON next to it, under the SHA-256 of the document's id. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { destinationKind } from '../model/steps.ts'

export const folderCopy = destinationKind({
  ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 1 },
  settings: z.strictObject({ folder: z.string().min(1) }),
  open: ({ folder }, { world: { disk } }) => {
    const made = new Set<string>()
    return {
      async send(documents) {
        for (const { id, parentId, originalId, fields, content } of documents) {
          const name = createHash('sha256').update(id).digest('hex')
          // A folder with a million files is slow in every program: 256 folders share them.
          const place = join(folder, name.slice(0, 2))
          if (!made.has(place)) await disk.makeFolder(place)
          made.add(place)
          const { bytes, isTruncated } = await content.load()
          await disk.write(join(place, name), bytes)
          const described = JSON.stringify({ id, parentId, originalId, isTruncated, fields }, null, 2)
          await disk.write(join(place, `${name}.json`), Buffer.from(described))
        }
        return documents.map(() => ({ isAccepted: true }))
      },
    }
  },
})
