/**
 * Choice of the shell that `npm start` opens on this machine, with the reason in one line. Pure: all facts are arguments, and nothing is
 * tried here.
 */
import type { Found } from '../server/chromium.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** Electron's binary, or why it cannot be used. */
export type Electron = { path: string } | { path: undefined; why: string }

/** Facts about the machine and the command line that decide the choice. */
export interface Facts {
  /** False when the user asked for the server only. */
  windowWanted: boolean
  /** Whether a window can be shown (`hasDisplay`). */
  display: boolean
  electron: Electron
  chromium: Found
}

/** The chosen shell. `address`: no window can be opened, so the address of the interface is printed. */
export type Choice =
  | { kind: 'electron'; path: string; why: string }
  | { kind: 'chromium'; path: string; why: string }
  | { kind: 'address'; why: string }

/** Chooses Electron where it is installed, then Chromium, then the address. */
export function chooseShell({ windowWanted, display, electron, chromium }: Facts): Choice {
  if (!windowWanted) return { kind: 'address', why: textOf(message('shell.noWindow')) }
  if (!display)
    return {
      kind: 'address',
      why: textOf(message('shell.noDisplay')),
    }
  if (electron.path !== undefined)
    return { kind: 'electron', path: electron.path, why: textOf(message('shell.electron', { path: electron.path })) }
  if (chromium.path !== undefined) {
    return {
      kind: 'chromium',
      path: chromium.path,
      why: textOf(message('shell.chromium', { path: chromium.path, reason: electron.why })),
    }
  }
  return {
    kind: 'address',
    why: textOf(
      message('shell.noShell', {
        ...{ electron: electron.why, reason: chromium.why, command: chromium.command },
      }),
    ),
  }
}

/** Whether the machine has a display. macOS and Windows always have one, as far as a program can detect. */
export function hasDisplay(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return (
    platform === 'darwin' || platform === 'win32' || Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY'])
  )
}
