/** Worker thread that copies one file into the job's folder, byte for byte, under a temporary name, and syncs it. The kind of file
 *  is determined from its bytes. Of a package, the documents are copied and the contents listed; a HAR is converted to WARC. The
 *  checksum is always that of the original, so that the same file is recognised when it is imported again. */
import { createHash } from 'node:crypto'
import { message, type Message } from '../../contract/words/message.ts'
import { FindingTally } from '../../formats/rules/findingTally.ts'
import { formatMessage, recognise, type Recognised } from '../../formats/recognise.ts'
import { findDirectory } from '../../formats/wacz/zipDirectory.ts'
import type { Task, TaskContext } from '../../world/world.ts'
import { convertedHar } from './convertedHar.ts'
import type { UnpackInput, Unpacked, UnpackedFile } from './unpacked.ts'
import { noFindings, together } from './findings.ts'
import { partPath } from './localNames.ts'
import { openPackage } from './openPackage.ts'
import { reportedChunks } from './reportedChunks.ts'
import { rejection } from './rejection.ts'
import { openSource, type OpenSource } from './source.ts'
import { writeNew } from './writeNew.ts'

/** Copies, unpacks or converts the file; reports the number of bytes done. */
export const task: Task<UnpackInput, Unpacked, number> = async (context, input) => {
  const tally = new FindingTally()
  const source = await openSource(context.world, input, (found) => tally.add(found, input.path))
  if (!source) return rejection(message('import.rejected.entry'))
  try {
    const unpacked = await unpack(context, input, { source, tally })
    return unpacked.kind === 'file' ? { ...unpacked, findings: together(tally.rules(), unpacked.findings) } : unpacked
  } finally {
    await source.close()
  }
}

interface Opened {
  source: OpenSource
  /** Findings on the package that contains the file. */
  tally: FindingTally
}

async function unpack(context: TaskContext<number>, input: UnpackInput, { source, tally }: Opened): Promise<Unpacked> {
  const recognised = await recognise(source)
  const { form, packing } = recognised
  if (form === 'empty') return rejection(whyEmpty(tally))
  if (await isPackage(source, recognised)) return openPackage(context, input, source)
  if (form === 'har') return convertedHar(context, input, source, packing)
  if (form === 'warc' || form === 'arc' || isCalledArchive(input, recognised)) return flatCopy(context, input, source)
  return rejection(message('finding.notAnArchive', { kind: formatMessage(recognised) }))
}

/** Whether the source is a package. A zip is recognised even with other data in front, since its directory is at the end. */
async function isPackage(source: OpenSource, { form, packing }: Recognised): Promise<boolean> {
  if (packing !== 'plain' || form === 'warc' || form === 'arc' || form === 'har') return false
  if (form === 'zip' || source.bytes === undefined) return form === 'zip'
  return (await findDirectory(source, source.bytes)).directory !== undefined
}

/** Whether an unrecognised file is named like an archive file. Its beginning may be damaged but be followed by good records,
 *  which are found when it is read. */
function isCalledArchive({ path, entry }: UnpackInput, { form }: Recognised): boolean {
  const isUnknown = form === 'unknown' || form === 'text' || form === 'damaged'
  return isUnknown && /\.w?arc(\.gz|\.zst)?$/i.test(entry === '' ? path : entry)
}

async function flatCopy(
  context: TaskContext<number>,
  { folder, file }: UnpackInput,
  source: OpenSource,
): Promise<UnpackedFile> {
  const sha256 = createHash('sha256')
  const chunks = reportedChunks(context, source, (bytes) => sha256.update(bytes))
  await writeNew(context.world, partPath(folder, file), chunks)
  return { kind: 'file', treatment: 'kept', sha256: sha256.digest('hex'), findings: noFindings }
}

/** Why a source yielded no bytes: it is empty, or its compression is damaged. */
function whyEmpty(tally: FindingTally): Message {
  const damage = tally.rules()[0]?.first[0]?.message
  return damage === undefined ? message('finding.fileEmpty') : message('import.rejected.damaged', { damage })
}
