/** What Electron's preload puts into the page as `window.loupe`. The preload imports this type; nothing else of Electron is
 *  visible to the interface. */
import type { Reply } from '../../src-main/contract/service.ts'

/** Where on our page the archived page is to lie, in CSS pixels from the top left of the window. */
export interface PageBounds {
  x: number
  y: number
  width: number
  height: number
}

/** The archived page: a view of its own in a session of its own, drawn over our page by the main process. */
export interface LoupePage {
  show(bounds: PageBounds): void
  hide(): void
  open(url: string): void
  reload(): void
  /** Called when the view has committed a navigation, also one inside the page (pushState). Returns the end of it. */
  onNavigated(listener: (url: string) => void): () => void
}

export interface LoupeWindow {
  call(name: string, input: unknown): Promise<Reply>
  /** Subscribes to one event of the contract; returns the end of it. */
  listen(name: string, onPayload: (payload: unknown) => void): () => void
  page: LoupePage
  /** Where a file or folder lies that the person has dropped or chosen. */
  pathOf(file: File): string
  /** The system's dialog for a new file; null when the person thought better of it. */
  askWhere(suggested: string): Promise<string | null>
  /** Hears what was chosen in the menu; returns the end of it. */
  onCommand(listener: (command: string) => void): () => void
}

declare global {
  interface Window {
    loupe?: LoupeWindow
  }
}
