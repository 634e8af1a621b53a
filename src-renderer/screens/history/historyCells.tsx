/** Formats a cell of a report. */
import { documentStates } from '../../../src-main/contract/states/documentStates.ts'
import type { CellKind, HistoryCell } from '../../../src-main/contract/services/history.ts'
import { labelOf } from '../../../src-main/contract/services/historyLabels.ts'
import { timeUtc, type Formats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import type { Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import type { ReactNode } from 'react'

export interface Language {
  t: Translate
  formats: Formats
}

export function cellText({ t, formats }: Language, kind: CellKind, value: HistoryCell): string {
  if (value === null) return ''
  if (typeof value === 'object') return t(value)
  if (typeof value === 'number') return numberText({ t, formats }, kind, value)
  if (kind === 'time') return timeUtc(value)
  const label = labelOf(kind, value)
  return label ? t(label) : value
}

function numberText({ formats }: Language, kind: CellKind, value: number): string {
  if (kind === 'bytes') return formats.bytes(value)
  if (kind === 'bytesPerSecond') return formats.bytesPerSecond(value)
  if (kind === 'perMinute') return formats.perMinute(value)
  if (kind === 'milliseconds') return formats.duration(value / 1000)
  return kind === 'job' ? String(value) : formats.count(value)
}

export function cellShown(language: Language, kind: CellKind, value: HistoryCell): ReactNode {
  const text = cellText(language, kind, value)
  if (kind === 'job' && typeof value === 'number') return <a href={hrefOf({ place: 'job', job: value })}>{text}</a>
  if (kind === 'state' && typeof value === 'string') {
    const state = stateOf(value)
    return state ? <ToneBadge tone={state.tone} text={text} meaning={language.t(state.meaning)} /> : text
  }
  // Reports are filtered and saved by the code of a result, so it is shown as a tooltip.
  if (kind === 'result' && typeof value === 'string' && text !== value) return <span title={value}>{text}</span>
  return text
}

function stateOf(name: string) {
  const known = documentStates.states.find((state) => state === name)
  return known && documentStates.rows[known]
}
