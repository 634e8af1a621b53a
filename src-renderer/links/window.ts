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

/** The archived pages: for each tab a view of its own in a session of its own, drawn over our page by the main process. */
export interface LoupePage {
  show(tab: number, bounds: PageBounds): void
  hide(): void
  open(tab: number, url: string): void
  reload(tab: number): void
  /** Open tabs; views of others are dropped. */
  keep(tabs: readonly number[]): void
  /** Finds in the shown page; an empty text ends it. */
  find(text: string, isForward: boolean): void
  /** Takes an image of the shown page: a `Picture`. */
  takePicture(wanted: ViewPicture): Promise<Reply>
  /** Called when a view has committed a navigation, also one inside the page (pushState). Returns the end of it, as the others. */
  onNavigated(listener: (tab: number, url: string) => void): () => void
  /** Called when a tab has lost its view: there were too many. */
  onPutDown(listener: (tab: number) => void): () => void
  onFound(listener: (found: Found) => void): () => void
}

export interface Found {
  matches: number
  /** Number of the shown match, from 1. */
  active: number
}

/** A picture of what the view shows, into a file that the person has named. */
export interface ViewPicture {
  form: PictureForm
  path: string
  /** Title of the page. The view knows its URL, but not its capture time. */
  captured: string
}

export interface LoupeWindow {
  call(name: string, input: unknown): Promise<Reply>
  /** Subscribes to one event of the contract; returns the end of it. */
  listen(name: string, onPayload: (payload: unknown) => void): () => void
  page: LoupePage
  /** Path of a file or folder that the user dropped or chose. */
  pathOf(file: File): string
  /** The system's dialog for a new file; null when the person thought better of it. */
  askWhere(suggested: string): Promise<string | null>
  /** Shows the file of an export in the folder where it lies. */
  showExported(number: number): Promise<Reply>
  /** Hears what was chosen in the menu; returns the end of it. */
  onCommand(listener: (command: string) => void): () => void
}

declare global {
  interface Window {
    loupe?: LoupeWindow
  }
}
