/** Services of the shell that the interface runs in: paths or uploads of files, dialogs for saving, commands of the menu. In Electron the
 *  preload script provides them, in a browser the server and the browser itself. */
import type { Picture } from '../../src-main/contract/services/pictures.ts'
import { opened } from '../../src-main/contract/calls/service.ts'
import type { Download } from './download.ts'
import type { HandOver } from './handOver.ts'
import type { LoupePage, LoupeWindow, ViewPicture } from './window.ts'

export interface Shell {
  /** Null in a browser, where the archived page is a frame. */
  page: LoupePage | null
  files: { are: 'paths'; pathOf(file: File): string } | { are: 'bytes'; handOver: HandOver }
  /** Opens the system's dialog for a new file; resolves with null when the user cancels it. Null in a browser, which has no such dialog. */
  askWhere: ((suggested: string) => Promise<string | null>) | null
  /** Takes an image of what the view shows. Null when the shell has no view; the engine renders pages then. */
  takePicture: ((wanted: ViewPicture) => Promise<Picture>) | null
  /** Opens the file that an export has written: its folder, or in a browser a download. Rejects with `Fault`. */
  exported: { is: 'folder' | 'download'; open(number: number): Promise<void> }
  /** Whether a browser that the engine starts appears on the same screen as this interface. False when it may appear on another machine. */
  isBesideEngine: boolean
  /** The account that has logged in; null where nobody has to. */
  account: Account | null
  /** Calls back with the name of a command chosen in the menu. Returns a function that unsubscribes. */
  onCommand(listener: (command: string) => void): () => void
}

/** An account that has logged in. */
export interface Account {
  /** Ends the session, and shows the log-in. Null where a server in front logs accounts in and out. */
  logOut: (() => Promise<void>) | null
  /** Shows the log-in, where the session has ended already. */
  logInAgain(): void
}

export function electronShell(loupe: LoupeWindow): Shell {
  return {
    page: loupe.page,
    files: { are: 'paths', pathOf: (file) => loupe.pathOf(file) },
    askWhere: (suggested) => loupe.askWhere(suggested),
    // The answer comes from the same build, as everything in the contract does.
    takePicture: async (wanted) => opened(await loupe.page.takePicture(wanted)) as Picture,
    exported: { is: 'folder', open: async (number) => void opened(await loupe.showExported(number)) },
    isBesideEngine: true,
    account: null,
    onCommand: (listener) => loupe.onCommand(listener),
  }
}

export interface BrowserParts {
  handOver: HandOver
  download: Download
  /** True for windows that the server opened on its own machine. Any other browser may have come through a tunnel from anywhere. */
  isOwnWindow: boolean
  account: Account | null
}

export function browserShell({ handOver, download, isOwnWindow, account }: BrowserParts): Shell {
  return {
    page: null,
    files: { are: 'bytes', handOver },
    askWhere: null,
    takePicture: null,
    exported: { is: 'download', open: download },
    isBesideEngine: isOwnWindow,
    account,
    onCommand: () => () => undefined,
  }
}
