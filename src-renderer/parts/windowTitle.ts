/** The title of the window: the screen that is shown, and before it the number of tasks that are running, so that somebody who works elsewhere
 *  sees when they have ended. */
import { useEffect } from 'react'

const shown = { screen: '', active: 0 }

function show(change: Partial<typeof shown>): void {
  Object.assign(shown, change)
  const name = shown.screen === '' ? 'Loupe' : `${shown.screen} – Loupe`
  document.title = shown.active > 0 ? `(${shown.active}) ${name}` : name
}

/** Names the screen in the title. */
export function useWindowTitle(screen: string): void {
  useEffect(() => show({ screen }), [screen])
}

/** Shows the number of running tasks in the title. */
export function useTitleCount(active: number): void {
  useEffect(() => show({ active }), [active])
}
