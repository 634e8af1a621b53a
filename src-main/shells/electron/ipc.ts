/** The channels between our page and the main process, and what travels on them. One place, for the preload and `main.ts`. */
import { isRectangle, type Rectangle } from './windowState.ts'

export const channels = {
  call: 'loupe:call',
  event: 'loupe:event',
  page: 'loupe:page',
  navigated: 'loupe:navigated',
  askWhere: 'loupe:askWhere',
  command: 'loupe:command',
} as const

export type PageCommand =
  { kind: 'show'; bounds: Rectangle } | { kind: 'hide' } | { kind: 'open'; url: string } | { kind: 'reload' }

/** The check at the main process's end: undefined for whatever the preload would not send. */
export function pageCommandIn(message: unknown): PageCommand | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  const { kind } = message
  if (kind === 'show')
    return 'bounds' in message && isRectangle(message.bounds) ? { kind, bounds: message.bounds } : undefined
  if (kind === 'open')
    return 'url' in message && typeof message.url === 'string' ? { kind, url: message.url } : undefined
  return kind === 'hide' || kind === 'reload' ? { kind } : undefined
}

/** The name that the save dialog begins with: what was sent, as far as it is a name and no path. */
export function suggestedNameIn(message: unknown): string {
  const name = typeof message === 'string' ? message : ''
  return name.replaceAll(/[^\w.+=@~,-]/g, '_').slice(0, suggestedLengthMax)
}

/** Longer than any name the interface makes up, and within what every file system takes. */
const suggestedLengthMax = 200
