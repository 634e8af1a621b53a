/** Channels between the interface's page and the main process, and the messages on them, for both the preload and `main.ts`. */
import { isRectangle, type Rectangle } from './windowState.ts'

/** Names of the channels. The preload is the only sender on the interface's side. */
export const channels = {
  call: 'loupe:call',
  event: 'loupe:event',
  page: 'loupe:page',
  picture: 'loupe:picture',
  navigated: 'loupe:navigated',
  pageLost: 'loupe:pageLost',
  found: 'loupe:found',
  askWhere: 'loupe:askWhere',
  showExported: 'loupe:showExported',
  command: 'loupe:command',
} as const

/** Commands for the views of archived pages. Each tab of the interface has a separate view. */
export type PageCommand =
  | { kind: 'show'; tab: number; bounds: Rectangle }
  | { kind: 'hide' }
  | { kind: 'open'; tab: number; url: string }
  | { kind: 'reload'; tab: number }
  /** Lists the existing tabs; the views of all others are dropped. */
  | { kind: 'keep'; tabs: number[] }
  /** Searches in the view that is shown; an empty text ends the search. */
  | { kind: 'find'; text: string; isForward: boolean }

/** Checks a message at the main process's end: undefined for anything that the preload would not send. */
export function pageCommandIn(message: unknown): PageCommand | undefined {
  const given = fieldsOf(message)
  const { kind, tab, tabs, bounds, url, text, isForward } = given
  switch (kind) {
    case 'hide':
      return { kind }
    case 'show':
      return isTab(tab) && isRectangle(bounds) ? { kind, tab, bounds } : undefined
    case 'open':
      return isTab(tab) && typeof url === 'string' ? { kind, tab, url } : undefined
    case 'reload':
      return isTab(tab) ? { kind, tab } : undefined
    case 'keep':
      return Array.isArray(tabs) && tabs.every(isTab) ? { kind, tabs } : undefined
    case 'find':
      return typeof text === 'string' && typeof isForward === 'boolean' ? { kind, text, isForward } : undefined
    default:
      return undefined
  }
}

/** A picture of the shown page, to be written to `path`. `captured` is the time of the capture, ISO 8601. */
export interface PictureWanted {
  form: 'png' | 'pdf'
  path: string
  captured: string
}

/** Checks a message in the same way. */
export function pictureWantedIn(message: unknown): PictureWanted | undefined {
  const { form, path, captured } = fieldsOf(message)
  const isWanted =
    (form === 'png' || form === 'pdf') &&
    typeof path === 'string' &&
    typeof captured === 'string' &&
    !Number.isNaN(Date.parse(captured))
  return isWanted ? { form, path, captured } : undefined
}

function fieldsOf(message: unknown): Record<string, unknown> {
  return typeof message === 'object' && message !== null ? { ...message } : {}
}

function isTab(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Returns the name that the save dialog suggests: the given text as far as it is a name and not a path. */
export function suggestedNameIn(message: unknown): string {
  const name = typeof message === 'string' ? message : ''
  return name.replaceAll(/[^\w.+=@~,-]/g, '_').slice(0, suggestedCharactersMax)
}

/** Longer than any name that the interface makes, and within the limit of common file systems. */
const suggestedCharactersMax = 200
