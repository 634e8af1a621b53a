/** Remarks for the user on imported files: what was done with them, and which archived file is the same. */
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import { joined, listed } from '../../contract/words/joined.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { FileTreatment } from './importedFiles.sql.ts'

/** Describes how the bytes and the name of a file were changed; null if neither was. */
export function treatmentRemark(
  treatment: FileTreatment,
  { wanted, name }: { wanted: string; name: string },
): Message | null {
  const remarks: Message[] = [
    ...(treatment === 'recompressed' ? [message('import.remark.recompressed')] : []),
    ...(treatment === 'converted' ? [message('import.remark.converted')] : []),
    ...(wanted === name ? [] : [message('import.remark.renamed', { wanted, name })]),
  ]
  return remarks.length === 0 ? null : joined(remarks)
}

/** The archived file, with its copies. */
type Copies = Pick<ArchivedFile, 'replicas'> | undefined

/** Names the file of the archive with the same bytes, and `owner`, the job that has it. `job`: the job of the import. */
export function archivedRemark({
  name,
  owner,
  job,
  file,
}: {
  name: string
  owner: number
  job: number
  file: Copies
}): Message {
  const where =
    owner === job
      ? message('import.remark.archived.here', { name })
      : message('import.remark.archived', { name, job: owner })
  return joined([where, ...badCopies(file)])
}

/** Says that the import took over a file of the archive that belonged to no job. `formerJob`: the deleted job that had it, or null. */
export function takenOverRemark({
  name,
  formerJob,
  file,
}: {
  name: string
  formerJob: number | null
  file: Copies
}): Message {
  const whose =
    formerJob === null
      ? message('import.remark.takenOver', { name })
      : message('import.remark.takenOver.deleted', { name, job: formerJob })
  return joined([whose, ...badCopies(file)])
}

/** Names the bad copies of an archived file and how to repair them; empty if there are none. */
function badCopies(file: Copies): Message[] {
  const bad = (file?.replicas ?? []).flatMap(({ replica, preservation }): Message[] => {
    if (preservation === 'MISSING') return [message('import.copy.missing', { replica })]
    return preservation === 'CORRUPT' ? [message('import.copy.damaged', { replica })] : []
  })
  return bad.length === 0 ? [] : [message('import.remark.badCopies', { copies: listed(bad) })]
}
