/** The channels between our page and the main process, and what travels on them. One place, for the preload and `main.ts`. */
import { isRectangle, type Rectangle } from './windowState.ts'

export const channels = {
  call: 'loupe:call',
  event: 'loupe:event',
  page: 'loupe:page',
  navigated: 'loupe:navigated',
} as const

export type PageCommand =
  | { kind: 'show'; bounds: Rectangle }
  | { kind: 'hide' }
  | { kind: 'open'; url: string }
  | { kind: 'back' }
  | { kind: 'forward' }
  | { kind: 'reload' }

/** The check at the main process's end: undefined for whatever the preload would not send. */
export function pageCommandIn(message: unknown): PageCommand | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  const { kind } = message
  if (kind === 'show')
    return 'bounds' in message && isRectangle(message.bounds) ? { kind, bounds: message.bounds } : undefined
  if (kind === 'open')
    return 'url' in message && typeof message.url === 'string' ? { kind, url: message.url } : undefined
  return kind === 'hide' || kind === 'back' || kind === 'forward' || kind === 'reload' ? { kind } : undefined
}
