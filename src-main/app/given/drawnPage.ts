/** What the engine and its shell say to each other about a page that a browser is to draw. */
import type { PictureForm } from '../../contract/services/pictures.ts'

/** Where a browser is to go with which name, and what it is to bring back. */
export interface PageToDraw {
  proxyPort: number
  spkiSha256: string
  user: string
  password: string
  /** Where it is asked for them, and sent on to the page. */
  enter: string
  form: PictureForm
  widthPx: number
  made: string
  software: string
}

export interface DrawnPage {
  bytes: Uint8Array
  url: string
  /** Null: nothing of the archive answered. */
  captured: string | null
  isCut: boolean
  isLoaded: boolean
}
