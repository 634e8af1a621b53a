/** The output that keeps every capture in WARC files of the job, which are stored in the archive when it ends. */
import type { Capture } from '../../../formats/cdx/capture.ts'
import { openHarvestFile, type HarvestFile } from '../records/harvestFile.ts'
import { recordsOf, type CaptureRecords } from '../records/records.ts'
import { resourceRecords } from '../records/resourceRecords.ts'
import type { Output, OutputConnector, OutputSetting, Place } from './connector.ts'

/** Stores captures in WARC files. */
export const archiveOutput: OutputConnector = { name: 'archive', version: 1, keeps: true, open: openArchiveOutput }

function openArchiveOutput(setting: OutputSetting): Output {
  let file: HarvestFile | undefined

  /** Closes a file that has reached its size limit. Called before the next records are written, not after the last ones: a file
   *  that cannot be closed must not undo results that are committed. */
  async function rollOver(): Promise<void> {
    if (!file || file.position < setting.settings.fileBytesMax) return
    await file.close()
    file = undefined
  }

  return {
    prepare: (document, captured, known) =>
      captured.kind === 'local'
        ? resourceRecords(setting, document, captured)
        : recordsOf(setting, document, captured, known),
    async keep(records) {
      if (records.length === 0) return []
      await rollOver()
      file ??= await openHarvestFile(setting)
      const places = await appendRecords(file, records)
      await file.sync()
      return places
    },
    commit(count) {
      if (count > 0) file?.commit(count)
    },
    async abandon() {
      const broken = file
      file = undefined
      await broken?.abandon()
    },
    async close() {
      await file?.close()
    },
  }
}

/** Appends the records with their index lines, and returns where each begins. Consecutive records that are in memory are written at
 *  once. */
async function appendRecords(file: HarvestFile, all: readonly CaptureRecords[]): Promise<Place[]> {
  const places: Place[] = []
  const captures: Capture[] = []
  let chunks: Uint8Array[] = []
  let position = file.position
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    position += chunk.length
  }
  for (const { response, others, capture } of all) {
    const offset = position
    if (Array.isArray(response)) response.forEach(add)
    else {
      if (chunks.length > 0) await file.append(chunks)
      chunks = []
      for await (const chunk of response) await file.append([chunk])
      position = file.position
    }
    places.push({ file: file.id, offset })
    if (capture) captures.push({ ...capture, offset, length: position - offset, filename: file.name })
    others.forEach(add)
  }
  await file.append(chunks)
  await file.index(captures)
  return places
}
