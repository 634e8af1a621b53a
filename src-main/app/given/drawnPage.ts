/** Messages between engine and shell about a page that a browser draws. */
import type { PictureForm } from '../../contract/services/pictures.ts'

/** The page to open, the credentials to use, and the picture to make. */
export interface PageToDraw {
  /** Port of the viewer's proxy on loopback. */
  proxyPort: number
  /** SHA-256 of the public key (SubjectPublicKeyInfo) of the archive's certificate authority, in base64. */
  spkiSha256: string
  /** Credentials of the viewing, which the proxy asks for. */
  user: string
  password: string
  /** URL at which the proxy asks the browser for the credentials, before it redirects to the page. */
  enter: string
  form: PictureForm
  widthPx: number
  /** Time of the picture, ISO 8601 in UTC; part of the provenance stored in it. */
  made: string
  /** Name and version of the program that makes the picture. */
  software: string
}

/** The picture, and the page that it shows. */
export interface DrawnPage {
  bytes: Uint8Array
  /** URL of the page that was shown, after redirects. */
  url: string
  /** Time of the capture, ISO 8601 in UTC. Null: the archive had no answer. */
  captured: string | null
  /** True when the page is longer than the picture can be. */
  isCut: boolean
  /** False when the picture was made before the page had finished loading. */
  isLoaded: boolean
}
