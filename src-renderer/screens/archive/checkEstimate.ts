/** Estimate of a check while it is configured, from the engine, and as text. */
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { CheckEstimate, CheckRequest, CheckSummary } from '../../../src-main/contract/services/checks.ts'
import type { ReplicaState } from '../../../src-main/contract/services/replicas.ts'
import { useFormats, type Formats } from '../../parts/formats.ts'
import { typingPauseMs } from '../../parts/typing.ts'
import { loadedFrom, loading, valueOf, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { countIn, rateSeen, requestOf, secondsFor, type CheckDraft } from './checkDraft.ts'
import { faultText } from '../../words/language.ts'

/** The estimate as the dialog shows it. */
export interface Estimated {
  text: string
  /** Estimate of the current configuration; undefined while it is loading, and for a spot check. */
  estimate: CheckEstimate | undefined
  /** Whether no copy would be checked. */
  isNothing: boolean
}

export function useEstimate(draft: CheckDraft, replicas: readonly ReplicaState[]): Estimated {
  const t = useWords()
  const formats = useFormats()
  const { archive: store } = useSession()
  const { checks } = useStore(store)
  const { bytesPerSecondMax } = useSpeed()
  const request = useMemo(() => requestOf(draft), [draft])
  const answer = useAnswer(request)
  if (draft.kind === 'spot') return ofSpots(t, formats, draft, replicas)
  if (request === null) return { text: '–', estimate: undefined, isNothing: false }
  const estimate = valueOf(answer)
  if (!estimate)
    return {
      text: answer.is === 'refused' ? faultText(answer.fault) : t('checkDialog.estimate.wait'),
      estimate,
      isNothing: false,
    }
  if (estimate.copies === 0) return { text: t('checkDialog.estimate.nothing'), estimate, isNothing: true }
  const amount = t(`checkDialog.estimate.${draft.kind}`, {
    copies: estimate.copies,
    files: estimate.files,
    bytes: formats.bytes(estimate.bytes),
  })
  const time = timeWords(t, formats, estimate, { kind: draft.kind, checks: valueOf(checks) ?? [], bytesPerSecondMax })
  return { text: `${amount} ${time}`, estimate, isNothing: false }
}

/** Speed limit for checks started by users; 0 bytes: no limit. */
export function useSpeed(): { bytesPerSecondMax: number; text: string } {
  const t = useWords()
  const { bytesPerSecond } = useFormats()
  const { settings: store } = useSession()
  const { settings } = useStore(store)
  const found = valueOf(settings)?.find(({ path }) => path === 'preservation.bytesPerSecondMax')?.value
  const bytesPerSecondMax = typeof found === 'number' ? found : 0
  return {
    bytesPerSecondMax,
    text:
      bytesPerSecondMax === 0
        ? t('checkDialog.speed.free')
        : t('checkDialog.speed.limited', { rate: bytesPerSecond(bytesPerSecondMax) }),
  }
}

/** The engine's answer to this request; `loading` while the user types and until the answer has arrived. */
function useAnswer(request: CheckRequest | null): Loaded<CheckEstimate> {
  const { services } = useSession()
  const [wanted] = useDebouncedValue(request, typingPauseMs)
  const [answered, setAnswered] = useState<{ to: CheckRequest | null; with: Loaded<CheckEstimate> }>({
    to: null,
    with: loading,
  })
  useEffect(() => {
    if (wanted === null) return
    let isWanted = true
    void loadedFrom(services.archive.checkEstimate(wanted)).then(
      (answer) => isWanted && setAnswered({ to: wanted, with: answer }),
    )
    return () => {
      isWanted = false
    }
  }, [services, wanted])
  return answered.to === request ? answered.with : loading
}

/** What the duration is estimated from: previous checks of this kind, and the speed limit. */
interface Pace {
  kind: CheckSummary['kind']
  checks: readonly CheckSummary[]
  bytesPerSecondMax: number
}

function timeWords(t: Translate, formats: Formats, estimate: CheckEstimate, pace: Pace): string {
  const { kind, checks, bytesPerSecondMax } = pace
  const rate = rateSeen(checks, kind)
  const seconds = secondsFor(estimate, kind, rate, bytesPerSecondMax)
  if (seconds === undefined) return t('checkDialog.estimate.noTime')
  const time = formats.duration(Math.max(1, seconds))
  const isLimited = kind === 'checksums' && bytesPerSecondMax > 0 && (rate === undefined || bytesPerSecondMax < rate)
  if (isLimited) return t('checkDialog.estimate.limited', { time, rate: formats.bytesPerSecond(bytesPerSecondMax) })
  return t('checkDialog.estimate.time', {
    time,
    rate: kind === 'missing' ? formats.perSecond(rate ?? 0) : formats.bytesPerSecond(rate ?? 0),
  })
}

/** The estimate for a spot check: files of average size, each read once in every reachable replica. */
function ofSpots(t: Translate, formats: Formats, draft: CheckDraft, replicas: readonly ReplicaState[]): Estimated {
  const asked = replicas.filter(({ kind, reachable }) => kind === 'files' && reachable)
  const files = countIn(draft.spotFiles) ?? 0
  const bytes = asked.reduce(
    (sum, row) => sum + (row.files === 0 ? 0 : ((row.bytes ?? 0) / row.files) * Math.min(files, row.files)),
    0,
  )
  const isNothing = replicas.every((row) => row.files === 0)
  return {
    text: isNothing
      ? t('checkDialog.estimate.nothing')
      : t('checkDialog.estimate.spot', { bytes: formats.bytes(bytes), replicas: asked.length }),
    estimate: undefined,
    isNothing,
  }
}
