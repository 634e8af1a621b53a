/**
 * The parts of a file that contain records: the file itself, or the archive files of a package. The code that opens packages is loaded only
 * for a package.
 */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { finding, type Finding } from '../../formats/rules/finding.ts'
import { mayBeDamagedArchive, recognise } from '../../formats/recognise.ts'
import type { ReadableFile } from '../../world/world.ts'

/** One archive file: the file itself, or one in a package. */
export interface RecordPart {
  /** Path of the file, and after each `!` the place in a package. */
  path: string
  /** Valid until the next part is requested. */
  source: ByteSource
}

/** Yields the parts in the order of the file. What cannot be read is reported to `onFinding`. */
export async function* recordParts(
  file: ReadableFile,
  path: string,
  onFinding: (found: Finding) => void,
): AsyncGenerator<RecordPart> {
  const recognised = await recognise(file)
  const { form } = recognised
  if (form === 'warc' || form === 'arc' || (mayBeDamagedArchive(recognised) && recordFileName.test(path))) {
    yield { path, source: file }
    return
  }
  const { archiveParts } = await import('../../formats/archiveParts.ts')
  for await (const part of archiveParts(file, { name: path, bytes: await file.bytes(), onFinding })) {
    if (part.kind.form !== 'har') yield part
    else onFinding(finding('harOnlyImported'))
  }
}

/** `.open` is the extension of a file that Heritrix is still writing. */
const recordFileName = /\.w?arc(\.gz|\.zst)?(\.open)?$/i
