/** Preview of a schedule while it is edited, computed by the engine. */
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { Schedule, ScheduleWindow } from '../../../src-main/contract/services/schedule.ts'
import type { Message } from '../../../src-main/contract/words/message.ts'
import { typingPauseMs } from '../../parts/typing.ts'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'

type Preview = { words: Message[]; runs: ScheduleWindow[] }

const runsShown = 5

/** The engine's answer for exactly this schedule; `loading` until it arrives. */
export function usePreview(schedule: Schedule | null): Loaded<Preview> {
  const { services } = useSession()
  const [wanted] = useDebouncedValue(schedule, typingPauseMs)
  const [answered, setAnswered] = useState<{ to: Schedule | null; with: Loaded<Preview> }>({ to: null, with: loading })
  useEffect(() => {
    if (wanted === null) return
    let isWanted = true
    void loadedFrom(services.schedules.nextRuns({ schedule: wanted, count: runsShown })).then(
      (answer) => isWanted && setAnswered({ to: wanted, with: answer }),
    )
    return () => {
      isWanted = false
    }
  }, [services, wanted])
  return answered.to === schedule ? answered.with : loading
}
