/** Checks of a request for an export, before anything is written. Each throws `Fault` with the field of the request that it is about. */
import { dirname, isAbsolute, join } from 'node:path'
import { Fault } from '../../contract/calls/faults.ts'
import type { ExportRequest } from '../../contract/services/exports.ts'
import { exportLists } from '../../contract/shapes/choices.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { partOf } from '../../files/export/export.ts'
import { urlProblem } from '../../files/export/selection.ts'
import type { Disk } from '../../world/world.ts'
import type { SelectedFile } from '../copies/selected.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { isInside } from '../../world/isInside.ts'
import type { Archive } from '../store/archive.ts'

const inPath = { fields: [['path']] }

/** Checks a request without looking at the disk: badInput. */
export function checkRequest(request: ExportRequest): void {
  const { path, url, from, to } = request
  if (!isAbsolute(path)) throw new Fault('badInput', message('path.relative', { path }), inPath)
  const problem = url === undefined ? undefined : urlProblem(url)
  if (problem !== undefined) throw new Fault('badInput', problem, { fields: [['url']] })
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw new Fault('badInput', message('export.time.order', { from, to }), { fields: [['to']] })
}

/** Checks what goes with a search: badInput. */
export function checkMatching({ matching, format, files, url, from, to }: ExportRequest): void {
  const refuse = (problem: Message, field: string): void => {
    throw new Fault('badInput', problem, { fields: [[field]] })
  }
  if (matching === undefined) return
  if (files.length > 0) refuse(message('export.matching.files'), 'files')
  if (exportLists.includes(format)) refuse(message('export.matching.format'), 'format')
  if (url !== undefined || from !== undefined || to !== undefined)
    refuse(message('export.matching.narrowed'), 'matching')
}

/** Checks that the new file can be created: refused (it exists, or is in a replica), notFound (no such folder). Creates the folder that
 *  the interface suggests. */
export async function checkTarget(
  disk: Disk,
  { path }: Pick<ExportRequest, 'path'>,
  { archive, archiveFolder }: { archive: Pick<Archive, 'places'>; archiveFolder: string },
): Promise<void> {
  const folder = dirname(path)
  for (const { name, folder: within } of archive.places)
    if (isInside(within, path))
      throw new ArchiveFault('refused', message('export.path.inReplica', { path, replica: name }), inPath)
  if (folder === join(archiveFolder, 'exports')) await disk.makeFolder(folder)
  const found = await disk.stat(folder)
  if (found?.kind !== 'folder') throw new ArchiveFault('notFound', message('export.folder.absent', { folder }), inPath)
  if (await disk.stat(path)) throw new ArchiveFault('refused', message('export.path.exists', { path }), inPath)
  const part = partOf(path)
  if (await disk.stat(part)) throw new ArchiveFault('refused', message('export.part.exists', { path: part }), inPath)
}

/** Finds the files of a request: notFound when a job, a file or the whole archive has none. */
export async function filesOfRequest(
  archive: Pick<Archive, 'everything' | 'selected'>,
  { jobs, files: names, all, format }: ExportRequest,
): Promise<SelectedFile[]> {
  const options = { withMetadata: !exportLists.includes(format) }
  const { files, jobsMissing } = all
    ? await archive.everything(options)
    : archive.selected({ jobs, files: names }, options)
  const [job] = jobsMissing
  if (job !== undefined) throw new ArchiveFault('notFound', message('job.noFiles', { job }), { fields: [['jobs']] })
  if (all && files.length === 0) throw new ArchiveFault('notFound', message('archive.empty'))
  return files
}

/** Checks the free space for an export of whole files: noSpace. The size of a filtered export is known only after reading, so its
 *  thread checks the space. */
export async function checkSpace(disk: Disk, request: ExportRequest, bytes: number): Promise<void> {
  const isWhole = [request.url, request.from, request.to, request.matching].every((each) => each === undefined)
  if (!isWhole || exportLists.includes(request.format)) return
  const folder = dirname(request.path)
  const free = await disk.freeBytes(folder)
  if (free < bytes) throw new ArchiveFault('noSpace', message('export.noSpace', { bytes, free, folder }), inPath)
}
