/** Which shell `npm start` opens on this machine, and why, in one line. Pure: the facts come in, nothing is tried here. */
import type { Found } from '../server/chromium.ts'

export type Electron = { path: string } | { path: undefined; why: string }

export interface Facts {
  windowWanted: boolean
  display: boolean
  electron: Electron
  chromium: Found
}

export type Choice =
  | { kind: 'electron'; path: string; why: string }
  | { kind: 'chromium'; path: string; why: string }
  | { kind: 'address'; why: string }

export function chooseShell({ windowWanted, display, electron, chromium }: Facts): Choice {
  if (!windowWanted) return { kind: 'address', why: 'No window, as asked with --no-window.' }
  if (!display)
    return {
      kind: 'address',
      why: 'No window: this machine has no display (neither DISPLAY nor WAYLAND_DISPLAY is set).',
    }
  if (electron.path !== undefined)
    return { kind: 'electron', path: electron.path, why: `Opening in Electron (${electron.path}).` }
  if (chromium.path !== undefined) {
    return {
      kind: 'chromium',
      path: chromium.path,
      why: `Opening in a window of ${chromium.path}, because ${electron.why}.`,
    }
  }
  return {
    kind: 'address',
    why: `No window, because ${electron.why}. ${chromium.why} To have one: ${chromium.command}`,
  }
}

/** macOS and Windows always have one, as far as a program can tell. */
export function hasDisplay(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return (
    platform === 'darwin' || platform === 'win32' || Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY'])
  )
}
