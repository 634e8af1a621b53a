/** Loads again what a screen shows when the engine reports a change, and when the connection returns, since events were lost meanwhile. */
import { useEffect, useEffectEvent } from 'react'
import { useSession } from '../state/session.tsx'
import { throttled } from '../state/throttled.ts'

/** The engine may report many changes per second. */
const reloadMs = 1_000

/** `event` must be the same function in every render, such as an event of a service. */
export function useChanges(event: (listener: () => void) => () => void, reload: () => void): void {
  const { connection } = useSession()
  const again = useEffectEvent(reload)
  useEffect(() => {
    const load = throttled(() => again(), reloadMs)
    const unfollow = event(load)
    const unwatch = connection.subscribe((next, before) => {
      if (next.connection === 'open' && before.connection !== 'open') load()
    })
    return () => {
      load.cancel()
      unfollow()
      unwatch()
    }
  }, [event, connection])
}
