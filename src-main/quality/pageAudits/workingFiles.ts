/** Pictures and texts of visited pages until they are written to a WARC file: one file for each part of a page, in a folder of the audit. */
import { join } from 'node:path'
import type { Disk } from '../../world/world.ts'
import { pageRecordUri } from './pageRecord.ts'
import { recordBytesMax } from '../model/limits.ts'

/** What is kept of a page, with its URI in the WARC file (of pictures and texts as Browsertrix names them) and its media type. */
export const parts = {
  screenshot: { uri: (url: string) => `urn:view:${url}`, mediaType: 'image/png' },
  thumbnail: { uri: (url: string) => `urn:thumbnail:${url}`, mediaType: 'image/png' },
  text: { uri: (url: string) => `urn:text:${url}`, mediaType: 'text/plain; charset=utf-8' },
  difference: { uri: (url: string) => `urn:difference:${url}`, mediaType: 'image/png' },
  pageInfo: { uri: pageRecordUri, mediaType: 'application/json' },
} as const
export type Part = keyof typeof parts

/** The working files of all audits. */
export interface WorkingFiles {
  write(page: PlacedPage, part: Part, bytes: Uint8Array): Promise<void>
  /** Undefined: there is no such file. */
  read(page: PlacedPage, part: Part): Promise<Uint8Array | undefined>
  /** Removes files of a page. */
  remove(page: PlacedPage, parts: readonly Part[]): Promise<void>
}

/** A page of an audit. */
export interface PlacedPage {
  audit: number
  id: number
}

/** Opens the files below a folder. */
export function workingFiles(disk: Disk, folder: string): WorkingFiles {
  const folderOf = ({ audit }: PlacedPage) => join(folder, String(audit))
  const pathOf = (page: PlacedPage, part: Part) => join(folderOf(page), `${page.id}-${part}`)
  return {
    async write(page, part, bytes) {
      await disk.makeFolder(folderOf(page))
      await disk.write(pathOf(page, part), bytes)
    },
    async read(page, part) {
      const path = pathOf(page, part)
      return (await disk.stat(path)) && disk.read(path, recordBytesMax)
    },
    async remove(page, removed) {
      for (const part of removed) {
        const path = pathOf(page, part)
        if (await disk.stat(path)) await disk.remove(path)
      }
    },
  }
}
