/** The record of an overlay in a quality file: JSON, with the URI `urn:loupe:overlay:<patched job>:<patch job>`. Each change writes a record, and the
 *  latest is valid. Job numbers differ between archives, so a record identifies jobs by the names and checksums of their files. */
import { z } from 'zod'
import { jsonOf } from '../../formats/bytes/json.ts'
import type { QualityRecord } from '../records/writeQualityFile.ts'
import { filesNamedMax } from '../model/limits.ts'
import type { OverlayRow } from './overlays.sql.ts'

const prefix = 'urn:loupe:overlay:'
const jobShape = z.object({
  /** Its number in the archive that wrote the record. */
  job: z.int().min(1),
  /** Its first content files, with SHA-256 in hexadecimal digits. */
  files: z.array(z.object({ name: z.string(), sha256: z.string() })).max(filesNamedMax),
})
const shape = z.object({
  version: z.literal(1),
  name: z.string().min(1),
  isOn: z.boolean(),
  created: z.iso.datetime(),
  changed: z.iso.datetime(),
  patched: jobShape,
  patch: jobShape,
})

/** A job as a record names it. */
export type NamedJob = z.output<typeof jobShape>

/** An overlay as a record has it. */
export interface RecordedOverlay extends Omit<OverlayRow, 'patches' | 'job'> {
  patched: NamedJob
  patch: NamedJob
}

/** Whether records with this URI are about overlays. */
export function isOverlayUri(uri: string): boolean {
  return uri.startsWith(prefix)
}

/** Makes the record of the last change of an overlay. */
export function overlayRecord(row: OverlayRow, nameJob: (job: number) => NamedJob): QualityRecord {
  const { patches, job, name, isOn, createdMs, changedMs } = row
  const body: z.input<typeof shape> = {
    ...{ version: 1, name, isOn: isOn === 1 },
    ...{ created: new Date(createdMs).toISOString(), changed: new Date(changedMs).toISOString() },
    ...{ patched: nameJob(patches), patch: nameJob(job) },
  }
  return {
    ...{ uri: `${prefix}${patches}:${job}`, type: 'metadata', contentType: 'application/json', atMs: changedMs },
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Reads a record; undefined if it is not one of an overlay. */
export function overlayIn({ uri, body }: Pick<QualityRecord, 'uri' | 'body'>): RecordedOverlay | undefined {
  if (!isOverlayUri(uri)) return undefined
  const { data } = shape.safeParse(jsonOf(Buffer.from(body).toString('utf8')))
  if (!data) return undefined
  const { name, isOn, created, changed, patched, patch } = data
  return {
    ...{ name, isOn: isOn ? 1 : 0, createdMs: Date.parse(created), changedMs: Date.parse(changed), patched, patch },
  }
}
