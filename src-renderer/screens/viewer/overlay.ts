/** The one element that may cover the archived page. A native view would be drawn above it, so it is hidden meanwhile. */
export type Overlay =
  | { is: 'choosing' }
  | { is: 'incomplete' }
  | { is: 'pages' }
  | { is: 'own' }
  | { is: 'picture' }
  | { is: 'timeline'; url: string }
  /** `asked` absent: an address is typed first. */
  | { is: 'explain'; asked?: Explainable }

export interface Explainable {
  url: string
  method: string
  /** It was to fill a window or a frame. */
  isPage: boolean
  /** Number of the answer, where there is one: it is explained as it was asked for. */
  answer?: number | undefined
}

export type ShowOverlay = (overlay: Overlay) => void
