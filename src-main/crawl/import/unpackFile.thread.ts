/** Brings one file into the job's folder, byte for byte, under a temporary name, and on the disk. What it is, its bytes say. Of
 *  a package it brings what the package says about itself, and tells what is in it; a HAR is brought as the WARC that it
 *  becomes. The checksum is of the original in every case: by it a file is known again. */
import { createHash } from 'node:crypto'
import { FindingTally } from '../../formats/rules/findingTally.ts'
import { recognise, type Recognised } from '../../formats/recognise.ts'
import { findDirectory } from '../../formats/wacz/zipDirectory.ts'
import type { Task, TaskContext } from '../../world/world.ts'
import { convertedHar } from './convertedHar.ts'
import type { UnpackInput, Unpacked, UnpackedFile } from './unpacked.ts'
import { noFindings, together } from './findings.ts'
import { partPath } from './localNames.ts'
import { openPackage } from './openPackage.ts'
import { passing } from './passing.ts'
import type { Refused } from './spaceNeeded.ts'
import { openSource, type OpenSource } from './source.ts'
import { writeNew } from './writeNew.ts'

export const task: Task<UnpackInput, Unpacked, number> = async (context, input) => {
  const tally = new FindingTally()
  const source = await openSource(context.world, input, (found) => tally.add(found, input.path))
  if (!source) return refused('it cannot be taken out of its package')
  try {
    const unpacked = await bring(context, input, { source, tally })
    return unpacked.kind === 'file' ? { ...unpacked, findings: together(tally.rules(), unpacked.findings) } : unpacked
  } finally {
    await source.close()
  }
}

interface Opened {
  source: OpenSource
  /** What is found wrong with the package that it comes out of. */
  tally: FindingTally
}

async function bring(context: TaskContext<number>, input: UnpackInput, { source, tally }: Opened): Promise<Unpacked> {
  const recognised = await recognise(source)
  const { form, packing } = recognised
  if (form === 'empty') return refused(whyNothing(tally))
  if (await isPackage(source, recognised)) return openPackage(context, input, source)
  if (form === 'har') return convertedHar(context, input, source, packing)
  if (form === 'warc' || form === 'arc' || isCalledArchive(input, recognised)) return flatCopy(context, input, source)
  return refused(`not an archive file: ${recognised.words}`)
}

/** Also with something put in front of it: a zip has its list of contents at its end. */
async function isPackage(source: OpenSource, { form, packing }: Recognised): Promise<boolean> {
  if (packing !== 'plain' || form === 'warc' || form === 'arc' || form === 'har') return false
  if (form === 'zip' || source.bytes === undefined) return form === 'zip'
  return (await findDirectory(source, source.bytes)).directory !== undefined
}

/** One whose beginning is damaged may hold good records behind it: whoever reads it through finds out. */
function isCalledArchive({ path, entry }: UnpackInput, { words }: Recognised): boolean {
  const isUnknown = /^(unknown bytes|text|damaged)/.test(words)
  return isUnknown && /\.w?arc(\.gz|\.zst)?$/i.test(entry === '' ? path : entry)
}

async function flatCopy(
  context: TaskContext<number>,
  { folder, file }: UnpackInput,
  source: OpenSource,
): Promise<UnpackedFile> {
  const sha256 = createHash('sha256')
  const chunks = passing(context, source, (bytes) => sha256.update(bytes))
  await writeNew(context.world, partPath(folder, file), chunks)
  return { kind: 'file', deed: 'kept', sha256: sha256.digest('hex'), findings: noFindings }
}

/** Nothing came out of it: because nothing is in it, or because its packing is damaged. */
function whyNothing(tally: FindingTally): string {
  const damage = tally.rules()[0]?.first[0]?.text
  return damage === undefined ? 'it is empty' : `it is damaged: ${damage.replace(/\.$/, '')}`
}

function refused(problem: string): Refused {
  return { kind: 'refused', problem }
}
