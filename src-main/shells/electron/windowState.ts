/** The stored position of the window, and whether it can be restored: a screen may have been removed. The functions are pure. */

/** Position and size. The unit is Electron's device-independent pixel. */
export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** State of the window that is restored at the next start. */
export interface WindowState {
  bounds: Rectangle
  maximized: boolean
}

/** The smallest size at which every screen of the interface fits. */
export const smallest = { width: 900, height: 600 }
/** Size of the window at the first start. */
const usual = { width: 1400, height: 900 }
/** Part of the title bar that must be visible, so that the window can be dragged. */
const visiblePxMin = 100

/** Reads the stored state. Undefined when there is none, or it cannot be used. */
export function windowStateIn(text: string | undefined): WindowState | undefined {
  if (text === undefined) return undefined
  try {
    const state: unknown = JSON.parse(text)
    return isWindowState(state) ? state : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined // a file cut off by a power failure is treated as absent
    throw error
  }
}

/** Returns the bounds to restore. `displays` are the work areas of the screens, the primary one first. */
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

/** Whether the user could drag the window on this display: enough of its title bar is inside. */
function isWithinReach(window: Rectangle, display: Rectangle): boolean {
  const across = Math.min(window.x + window.width, display.x + display.width) - Math.max(window.x, display.x)
  const titleBarBelowTop = window.y >= display.y
  return across >= visiblePxMin && titleBarBelowTop && window.y + visiblePxMin <= display.y + display.height
}

function isWindowState(state: unknown): state is WindowState {
  if (typeof state !== 'object' || state === null || !('bounds' in state) || !('maximized' in state)) return false
  return typeof state.maximized === 'boolean' && isRectangle(state.bounds)
}

/** Checks a rectangle. Also used for the position of the archived page that the interface sends. */
export function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false
  return ['x', 'y', 'width', 'height'].every((name) => Number.isFinite((value as Record<string, unknown>)[name]))
}

/** Converts a rectangle of the interface, whose pixels a zoom makes larger than the window's. */
export function inWindow({ x, y, width, height }: Rectangle, zoomFactor: number): Rectangle {
  const scaled = (length: number) => Math.max(0, Math.round(length * zoomFactor))
  return { x: scaled(x), y: scaled(y), width: scaled(width), height: scaled(height) }
}
