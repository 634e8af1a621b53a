/** Names of backups, and the manifest next to each: a line for `sha256sum -c`, preceded by comment lines that it ignores. Pure
 *  functions. The folder is handled by `backupFolder.ts`. */
import { backupManifest, type BackupManifest } from '../../contract/services/backups.ts'
import { jsonOf } from '../../formats/bytes/json.ts'

export interface Manifest extends BackupManifest {
  /** File name of the backup, without a path. */
  name: string
  sha256: string
}

const dataMark = '# loupe-backup: '

/** Name of a backup; `number` distinguishes backups of the same second. */
export function backupName(archive: string, nowMs: number, number: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  return `loupe-${shortId(archive)}-${time}${number > 1 ? `-${number}` : ''}.db`
}

/** Short identity in the file name, to distinguish archives that share a folder. */
function shortId(archive: string): string {
  return archive.slice(0, 8)
}

/** Whether a file has the name of a backup of this archive. */
export function isNameOf(archive: string, name: string): boolean {
  return namePattern.test(name) && name.startsWith(`loupe-${shortId(archive)}-`)
}

const namePattern = /^loupe-[0-9a-f]{8}-\d{8}T\d{6}Z(?:-\d+)?\.db$/
const manifestEnding = '.sha256'

/** File name of a backup's manifest. */
export function manifestName(name: string): string {
  return `${name}${manifestEnding}`
}

/** Name of the backup to which a manifest belongs, from its file name; undefined when it is not a manifest. */
export function nameOfManifest(file: string): string | undefined {
  const name = file.endsWith(manifestEnding) ? file.slice(0, -manifestEnding.length) : ''
  return namePattern.test(name) ? name : undefined
}

/** Returns the name of the backup that an unfinished file belongs to, from the name of the file; undefined for any other file, and for
 *  files of other archives. */
export function nameOfUnfinished(file: string, archive: string): string | undefined {
  // SQLite may leave a journal next to the file that it was writing.
  const name = /^\.(.+?)(?:\.sha256)?\.part(?:-journal)?$/.exec(file)?.[1]
  return name !== undefined && isNameOf(archive, name) ? name : undefined
}

/** Formats a manifest, with instructions as comments. */
export function manifestText({ name, sha256, ...data }: Manifest): string {
  return [
    '# A backup of the database of a Loupe archive.',
    `# To check it:   sha256sum -c ${manifestName(name)}`,
    `# To restore it: loupe backup restore ${name}`,
    `${dataMark}${JSON.stringify(data)}`,
    `${sha256}  ${name}`,
    '',
  ].join('\n')
}

/** Parses a manifest; undefined when the text is not a manifest of this backup. */
export function manifestOf(name: string, text: string): Manifest | undefined {
  const lines = text.split(/\r?\n/)
  const sum = lines.map((line) => /^([0-9a-f]{64}) [ *](.+)$/.exec(line)).find((match) => match?.[2] === name)?.[1]
  const data = lines.find((line) => line.startsWith(dataMark))?.slice(dataMark.length)
  if (sum === undefined || data === undefined) return undefined
  const checked = backupManifest.safeParse(jsonOf(data))
  return checked.success ? { ...checked.data, name, sha256: sum } : undefined
}
