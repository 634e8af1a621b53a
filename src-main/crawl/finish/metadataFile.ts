/** The metadata WARC of a job, `<job>-metadata-1.warc`, or `.warc.gz` with one gzip member per record: warcinfo, then setup,
 *  reports and logs as resource records under metadata:// URLs, then one index record for each WARC file. It is written under
 *  a temporary name and renamed when complete, so it exists completely or not at all. */
import { join } from 'node:path'
import { recordStreamed, warcMemberStreamed, type StreamedRecord } from '../../formats/records/warcWriter.ts'
import type { WritableFile } from '../../world/world.ts'
import type { FileSetting } from '../capture/records/fileSetting.ts'
import type { Report } from './report.ts'
import { spoolIn, spoolOfFile, type SpooledBytes } from '../capture/fetch/spool.ts'

/** Name and content of a metadata file. */
export interface MetadataSetting extends FileSetting {
  path: string
  name: string
  reports: Report[]
  /** Metadata documents of the packages from which an import took files. */
  documents: PackageDocument[]
  /** The WARC files of the job, each with the path of the file that holds its CDXJ lines. */
  indexed: { name: string; linesPath: string }[]
}

/** A file in the job's folder that becomes a record. */
export interface PackageDocument {
  path: string
  /** Name of the package, and path of the document inside it. */
  package: string
  entry: string
  contentType: string
}

/** Writes the metadata file and replaces an unfinished one left by a kill. */
export async function writeMetadataFile(setting: MetadataSetting): Promise<void> {
  const { world, path } = setting
  const open = `${path}.open`
  if (await world.disk.stat(open)) await world.disk.remove(open)
  const file = await world.disk.openWrite(open, 'create')
  try {
    await writeRecords(setting, file)
    await file.sync()
  } finally {
    await file.close()
  }
  await world.disk.rename(open, path)
  await world.disk.syncFolder(join(path, '..'))
}

async function writeRecords(setting: MetadataSetting, file: WritableFile): Promise<void> {
  const { world } = setting
  for (const report of [warcinfo(setting), ...setting.reports.map((report) => resource(setting, report))]) {
    const spool = spoolIn(world, setting)
    for (const part of report.text()) await spool.append(typeof part === 'string' ? Buffer.from(part, 'utf8') : part)
    await append(setting, file, report, spool)
    await spool.discard()
  }
  for (const document of setting.documents) {
    await append(setting, file, documentRecord(setting, document), await spoolOfFile(world, document.path))
  }
  for (const { name, linesPath } of setting.indexed) {
    await append(setting, file, indexRecord(setting, name), await spoolOfFile(world, linesPath))
  }
}

interface Part {
  type: 'warcinfo' | 'resource'
  fields: [string, string][]
  contentType: string
}

function warcinfo({ name, software, job, warcVersion }: MetadataSetting): Part & Pick<Report, 'text'> {
  return {
    type: 'warcinfo',
    fields: [['WARC-Filename', name]],
    contentType: 'application/warc-fields',
    text: () => [`software: ${software}\r\nformat: WARC File Format ${warcVersion}\r\nisPartOf: ${job}\r\n`],
  }
}

function resource(
  { job, harvest }: MetadataSetting,
  { part, name, contentType, text }: Report,
): Part & Pick<Report, 'text'> {
  const url = `metadata://loupe/crawl/${part}/${name}?harvestid=${harvest}&jobid=${job}`
  return { type: 'resource', fields: [['WARC-Target-URI', url]], contentType, text }
}

function documentRecord(
  { job, harvest }: MetadataSetting,
  { package: from, entry, contentType }: PackageDocument,
): Part {
  const place = [from, ...entry.split('/')].map(encodeURIComponent).join('/')
  const url = `metadata://loupe/import/${place}?harvestid=${harvest}&jobid=${job}`
  return { type: 'resource', fields: [['WARC-Target-URI', url]], contentType }
}

function indexRecord({ job, harvest }: MetadataSetting, filename: string): Part {
  const query = `majorversion=2&minorversion=0&harvestid=${harvest}&jobid=${job}&filename=${encodeURIComponent(filename)}`
  const fields: [string, string][] = [['WARC-Target-URI', `metadata://loupe/crawl/index/cdx?${query}`]]
  return { type: 'resource', fields, contentType: 'application/x-cdxj' }
}

/** Compression level of gzip's default: logs and index lines become a tenth as large. */
const gzipLevel = 6

async function append(
  { world, warcVersion, name }: MetadataSetting,
  file: WritableFile,
  part: Part,
  block: SpooledBytes,
): Promise<void> {
  const record: StreamedRecord = {
    version: warcVersion,
    type: part.type,
    fields: part.fields,
    contentType: part.contentType,
    id: world.chance.uuid(),
    dateMs: world.clock.now(),
    blockBytes: block.bytes,
    block: () => block.read(),
  }
  const { chunks } = name.endsWith('.gz') ? await warcMemberStreamed(record, gzipLevel) : await recordStreamed(record)
  for await (const chunk of chunks) await file.append([chunk])
}
