/** Loads what one part of a screen shows, again whenever the question changes. Data that several parts show, or that outlives the part, has
 *  a store. */
import { useEffect, useReducer, useState } from 'react'
import { loadedFrom, loading, type Loaded } from '../state/loaded.ts'

/** `ask` must be the same function as long as the question is the same. `revision`: asked again when it changes. The second value asks again. */
export function useLoaded<Value>(
  ask: () => Promise<Value>,
  revision: number | string = 0,
): [Loaded<Value>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<Value>>(loading)
  const [round, again] = useReducer((before: number) => before + 1, 0)
  useEffect(() => {
    let stale = false
    void loadedFrom(ask()).then((answer) => {
      if (!stale) setLoaded(answer)
    })
    return () => {
      stale = true
    }
  }, [ask, round, revision])
  return [loaded, again]
}
