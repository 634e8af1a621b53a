/** Asks the engine for what a part of a screen shows, again whenever the question is another one. What belongs to more than
 *  one part, or outlives it, has a store. */
import { useEffect, useReducer, useState } from 'react'
import { loadedFrom, loading, type Loaded } from '../state/loaded.ts'

/** `ask` is to be the same function as long as the question is the same. The second value asks it once more. */
export function useLoaded<Value>(ask: () => Promise<Value>): [Loaded<Value>, () => void] {
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
  }, [ask, round])
  return [loaded, again]
}
