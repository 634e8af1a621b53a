/** Where the window was, and whether it can be there again: a screen may be gone since. Pure but for the file's shape. */

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface WindowState {
  bounds: Rectangle
  maximized: boolean
}

/** The smallest at which every screen of the interface still fits. */
export const smallest = { width: 900, height: 600 }
const usual = { width: 1400, height: 900 }
/** So much of the title bar must be seen that a hand can take it. */
const visibleMin = 100

export function windowStateIn(text: string | undefined): WindowState | undefined {
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    return isWindowState(state) ? state : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined // half a file after a power cut: as good as none
    throw error
  }
}

/** `displays`: their work areas, the first one first. */
export function restoredBounds(
  saved: Rectangle | undefined,
  displays: readonly [Rectangle, ...Rectangle[]],
): Rectangle {
  if (!saved || !displays.some((display) => isWithinReach(saved, display))) return centred(displays[0])
  return { ...saved, width: Math.max(saved.width, smallest.width), height: Math.max(saved.height, smallest.height) }
}

function centred(display: Rectangle): Rectangle {
  const width = Math.min(usual.width, display.width)
  const height = Math.min(usual.height, display.height)
  return {
    x: display.x + Math.floor((display.width - width) / 2),
    y: display.y + Math.floor((display.height - height) / 2),
    width,
    height,
  }
}

function isWithinReach(window: Rectangle, display: Rectangle): boolean {
  const across = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x)
  const titleBarBelowTop = window.y >= display.y
  return across >= visibleMin && titleBarBelowTop && window.y + visibleMin <= display.y + display.height
}

function isWindowState(state: unknown): state is WindowState {
  if (typeof state !== 'object' || state === null || !('bounds' in state) || !('maximized' in state)) return false
  return typeof state.maximized === 'boolean' && isRectangle(state.bounds)
}

/** Also the check of what the interface says about where the archived page is to lie. */
export function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false
  return ['x', 'y', 'width', 'height'].every((name) => Number.isFinite((value as Record<string, unknown>)[name]))
}

/** The interface measures in its own pixels, which a zoom makes larger than the window's. */
export function inWindow({ x, y, width, height }: Rectangle, zoomFactor: number): Rectangle {
  const scaled = (length: number) => Math.max(0, Math.round(length * zoomFactor))
  return { x: scaled(x), y: scaled(y), width: scaled(width), height: scaled(height) }
}
