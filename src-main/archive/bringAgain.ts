/** Brings a copy that was stored once and lies nowhere now: its checksum is asked first, and nothing that lies there is written
 *  over. For the store machine a completed copy stays so; this is no store but a restore, from a good copy (`repair.ts`) or
 *  from the very file as a person offers it (`storing.ts`). */
import { askChecksum, upload, type Errand } from './upload.ts'

/** Gives why it could not be brought; undefined when it was written, or lies there already: ask again what lies there now.
 *  Rejects with the signal's reason when it was stopped. */
export async function bringAgain(errand: Errand & { source: string }): Promise<string | undefined> {
  const { source, ...asking } = errand
  const lies = await askChecksum(asking)
  if (lies.kind === 'failed') return lies.problem.text
  if (lies.kind === 'found')
    return lies.sha256 === errand.file.sha256 ? undefined : `Something else lies under the name: ${lies.sha256}.`
  let hindrance: string | undefined
  await upload(
    { ...asking, source },
    {
      uploaded(came) {
        if (came.kind === 'occupied') hindrance = came.text
        if (came.kind === 'refused') hindrance = came.problem.text
      },
      reread(came) {
        if (came.kind === 'failed') hindrance = came.problem.text
      },
    },
  )
  return hindrance
}
