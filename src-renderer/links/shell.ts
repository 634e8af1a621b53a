/** Services of the shell that the interface runs in: paths or uploads of files, dialogs for saving, commands of the menu. In Electron the
 *  preload script provides them, in a browser the server and the browser itself. */
import type { Picture } from '../../src-main/contract/services/pictures.ts'
import { opened } from '../../src-main/contract/calls/service.ts'
import type { Download } from './download.ts'
import type { HandOver } from './handOver.ts'
import type { LoupePage, LoupeWindow, ViewPicture } from './window.ts'

export interface Shell {
  /** Null in a browser: the archived page is a frame there. */
  page: LoupePage | null
  files: { are: 'paths'; pathOf(file: File): string } | { are: 'bytes'; handOver: HandOver }
  /** The system's own dialog: where to save, null when the person thought better of it. Null in a browser: it has none. */
  askWhere: ((suggested: string) => Promise<string | null>) | null
  /** Takes a picture of what the view shows. Null: the shell has no view, and the engine draws pages. */
  takePicture: ((wanted: ViewPicture) => Promise<Picture>) | null
  /** Gets at the file that an export has written: in its folder, or, in a browser, as a download. Rejects with `Fault`. */
  exported: { is: 'folder' | 'download'; open(number: number): Promise<void> }
  /** A browser that the engine starts appears where this interface does. False where it may appear on another machine. */
  isBesideEngine: boolean
  /** Called with the name of a command that was chosen in the menu; returns the end of it. */
  onCommand(listener: (command: string) => void): () => void
}

export function electronShell(loupe: LoupeWindow): Shell {
  return {
    page: loupe.page,
    files: { are: 'paths', pathOf: (file) => loupe.pathOf(file) },
    askWhere: (suggested) => loupe.askWhere(suggested),
    // Its answer is of the same build, as all of the contract's are.
    takePicture: async (wanted) => opened(await loupe.page.takePicture(wanted)) as Picture,
    exported: { is: 'folder', open: async (number) => void opened(await loupe.showExported(number)) },
    isBesideEngine: true,
    onCommand: (listener) => loupe.onCommand(listener),
  }
}

export interface BrowserParts {
  handOver: HandOver
  download: Download
  /** Of those that the server opens on its own machine. Another browser may have come through a tunnel from anywhere. */
  isOwnWindow: boolean
}

export function browserShell({ handOver, download, isOwnWindow }: BrowserParts): Shell {
  return {
    page: null,
    files: { are: 'bytes', handOver },
    askWhere: null,
    takePicture: null,
    exported: { is: 'download', open: download },
    isBesideEngine: isOwnWindow,
    onCommand: () => () => undefined,
  }
}
