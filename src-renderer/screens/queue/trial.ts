/** Asks the engine for the effect of a change while it is being edited. Only the answer to the last request counts. */
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { typingPauseMs } from '../../parts/typing.ts'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'

/** `given`: null while there is nothing to ask. `ask` must be the same function as long as it asks the same. */
export function useTrial<Given, Effect>(
  given: Given | null,
  ask: (given: Given) => Promise<Effect>,
): Loaded<Effect> | null {
  const text = given === null ? null : JSON.stringify(given)
  const [asked] = useDebouncedValue(text, typingPauseMs)
  const [answer, setAnswer] = useState<{ of: string; effect: Loaded<Effect> } | null>(null)
  useEffect(() => {
    if (asked === null) return undefined
    let isWanted = true
    void loadedFrom(ask(JSON.parse(asked) as Given)).then((effect) => isWanted && setAnswer({ of: asked, effect }))
    return () => {
      isWanted = false
    }
  }, [asked, ask])
  if (text === null) return null
  return answer?.of === text ? answer.effect : loading
}
