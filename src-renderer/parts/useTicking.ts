/** Calls `act` at an interval while the component is shown and the window is visible. */
import { useEffect, useEffectEvent } from 'react'

export function useTicking(everyMs: number, act: () => void): void {
  const tick = useEffectEvent(() => {
    if (!document.hidden) act()
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
