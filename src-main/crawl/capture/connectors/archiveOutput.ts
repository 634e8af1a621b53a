/** The output that keeps everything: WARC files of the job, which go into the archive when it ends. */
import { openHarvestFile, type HarvestFile } from '../records/harvestFile.ts'
import { recordsOf, type CaptureRecords } from '../records/records.ts'
import { resourceRecords } from '../records/resourceRecords.ts'
import type { Output, OutputConnector, OutputSetting, Place } from './connector.ts'

export const archiveOutput: OutputConnector = { name: 'archive', version: 1, keeps: true, open: openArchiveOutput }

function openArchiveOutput(setting: OutputSetting): Output {
  let file: HarvestFile | undefined

  /** Before the next records, not after the last: a file that cannot be closed must not undo what is written down. */
  async function rollOver(): Promise<void> {
    if (!file || file.position < setting.settings.fileBytesMax) return
    await file.close()
    file = undefined
  }

  return {
    prepare: (document, captured, original) =>
      captured.kind === 'local'
        ? resourceRecords(setting, document, captured)
        : recordsOf(setting, document, captured, original),
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

/** What is in memory goes to the file in one write, however many records it is. */
async function appendRecords(file: HarvestFile, all: readonly CaptureRecords[]): Promise<Place[]> {
  const places: Place[] = []
  let chunks: Uint8Array[] = []
  let position = file.position
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    position += chunk.length
  }
  for (const { response, others } of all) {
    places.push({ file: file.id, offset: position })
    if (Array.isArray(response)) response.forEach(add)
    else {
      if (chunks.length > 0) await file.append(chunks)
      chunks = []
      for await (const chunk of response) await file.append([chunk])
      position = file.position
    }
    others.forEach(add)
  }
  await file.append(chunks)
  return places
}
