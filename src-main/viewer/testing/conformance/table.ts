/** The conformance table: how the viewer replays HTTP. Each row has its own URL, which contains its number. */
import { createArchive, type ArchiveFixture, type Row } from '../../../indexes/testing/archiveFixture.ts'
import { bodies } from './bodies.ts'
import { capturedAt, host, type Archived, type Case } from './case.ts'
import { codings } from './codings.ts'
import { conditions } from './conditions.ts'
import { fields } from './fields.ts'
import { ranges } from './ranges.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'

export const table: readonly Case[] = [
  ...bodies,
  ...ranges,
  ...conditions,
  ...codings,
  ...fields,
  ...records,
  ...requests,
]

/** Requested after every row, over the same connection. */
export const next = { path: '/', body: 'the page of the rows' }

/** Returns the path of a row. */
export function pathOf(number: number, path = ''): string {
  return `/${number}${path}`
}

/** Creates an archive with the records of all rows, as job 1. */
export async function archivedTable(): Promise<ArchiveFixture> {
  const made = await createArchive()
  const rows = table.flatMap(({ archived = [] }, number) =>
    (Array.isArray(archived) ? (archived as readonly Archived[]) : [archived as Archived]).map((each) => ({
      row: rowOf(each, number),
      isSpoiled: each.isSpoiled === true,
    })),
  )
  const page = { url: `http://${host}${next.path}`, at: capturedAt, body: next.body }
  const good = rows.filter(({ isSpoiled }) => !isSpoiled).map(({ row }) => row)
  await made.add({ name: '1-1-rows.warc.gz', job: 1, rows: [page, ...good] })
  for (const [index, { row }] of rows.filter(({ isSpoiled }) => isSpoiled).entries())
    await made.add({ name: `1-2-spoiled-${index}.warc.gz`, job: 1, rows: [row], spoil })
  return made
}

function rowOf({ path, url, at = capturedAt, isSpoiled: _, ...row }: Archived, number: number): Row {
  return { ...row, at, url: url ?? `http://${host}${pathOf(number, path)}` }
}

/** Changes a byte near the end of the compressed record, so that its headers stay readable. */
function spoil(bytes: Buffer): void {
  const place = bytes.length - 30
  bytes[place] = (bytes[place] ?? 0) ^ 0xff
}
