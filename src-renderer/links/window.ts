/** The object that Electron's preload script puts into the page as `window.loupe`. The preload script imports this type; nothing else of
 *  Electron is visible to the interface. */
import type { PictureForm } from '../../src-main/contract/services/pictures.ts'
import type { Reply } from '../../src-main/contract/calls/service.ts'

/** Position of the archived page in the window, in CSS pixels from the top left. */
export interface PageBounds {
  x: number
  y: number
  width: number
  height: number
}

/** The archived pages. Each tab has a view of its own in a session of its own, which the main process draws over our page. */
export interface LoupePage {
  show(tab: number, bounds: PageBounds): void
  hide(): void
  open(tab: number, url: string): void
  reload(tab: number): void
  /** Keeps the views of these tabs and drops all others. */
  keep(tabs: readonly number[]): void
  /** Searches the shown page; an empty text ends the search. */
  find(text: string, isForward: boolean): void
  /** Takes an image of the shown page. The reply contains a `Picture`. */
  takePicture(wanted: ViewPicture): Promise<Reply>
  /** Calls back when a view has committed a navigation, including one within the page (pushState). Returns a function that unsubscribes, as
   *  the others do. */
  onNavigated(listener: (tab: number, url: string) => void): () => void
  /** Calls back when a tab has lost its view because there were too many. */
  onPageLost(listener: (tab: number) => void): () => void
  onFound(listener: (found: Found) => void): () => void
}

export interface Found {
  matches: number
  /** Number of the selected match, from 1. */
  active: number
}

/** An image of what the view shows, to be written to a file that the user has named. */
export interface ViewPicture {
  form: PictureForm
  path: string
  /** Title of the page. The view knows its URL, but not its capture time. */
  captured: string
}

export interface LoupeWindow {
  call(name: string, input: unknown): Promise<Reply>
  /** Subscribes to one event of the contract. Returns a function that unsubscribes. */
  listen(name: string, onPayload: (payload: unknown) => void): () => void
  page: LoupePage
  /** Path of a file or folder that the user dropped or chose. */
  pathOf(file: File): string
  /** Opens the system's dialog for a new file; resolves with null when the user cancels it. */
  askWhere(suggested: string): Promise<string | null>
  /** Shows the file of an export in its folder. */
  showExported(number: number): Promise<Reply>
  /** Calls back with each command chosen in the menu. Returns a function that unsubscribes. */
  onCommand(listener: (command: string) => void): () => void
}

declare global {
  interface Window {
    loupe?: LoupeWindow
  }
}
