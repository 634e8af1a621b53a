/** The one element that may cover the archived page. A native view would be drawn above it, so it is hidden meanwhile. */
export type Overlay =
  | { is: 'choosing' }
  | { is: 'incomplete' }
  | { is: 'pages' }
  | { is: 'own' }
  | { is: 'picture' }
  | { is: 'timeline'; url: string }
  /** Without `asked` the user types an address first. */
  | { is: 'explain'; asked?: Explainable }

export interface Explainable {
  url: string
  method: string
  /** The request was for the content of a window or a frame. */
  isPage: boolean
  /** Number of the response, if there is one; it is explained as it was requested. */
  answer?: number | undefined
}

export type ShowOverlay = (overlay: Overlay) => void
