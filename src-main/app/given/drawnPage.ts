/** Messages between engine and shell about a page that a browser draws. */
import type { PictureForm } from '../../contract/services/pictures.ts'

/** The page to open, the credentials to use, and the picture to make. */
export interface PageToDraw {
  proxyPort: number
  spkiSha256: string
  user: string
  password: string
  /** Address at which the browser is asked for the credentials, and redirected to the page. */
  enter: string
  form: PictureForm
  widthPx: number
  made: string
  software: string
}

/** The picture, and the page that it shows. */
export interface DrawnPage {
  bytes: Uint8Array
  url: string
  /** Null: the archive had no answer. */
  captured: string | null
  isCut: boolean
  isLoaded: boolean
}
