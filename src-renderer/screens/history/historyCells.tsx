/** A cell of a report as a person reads it. */
import { documentStates } from '../../../src-main/contract/documentStates.ts'
import type { CellKind, HistoryCell } from '../../../src-main/contract/history.ts'
import { timeUtc, type Formats } from '../../parts/formats.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { isWord, type Say } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'
import type { ReactNode } from 'react'

export interface Language {
  say: Say
  formats: Formats
}

export function cellText({ say, formats }: Language, kind: CellKind, value: HistoryCell): string {
  if (value === null) return ''
  if (typeof value === 'number') return numberText({ say, formats }, kind, value)
  if (kind === 'time') return timeUtc(value)
  if (kind === 'state') return stateOf(value)?.badge ?? value
  if (kind === 'activity') {
    const word = `activity.kind.${value}`
    return isWord(word) ? say(word) : value
  }
  return value
}

function numberText({ say, formats }: Language, kind: CellKind, value: number): string {
  if (kind === 'bytes') return formats.bytes(value)
  if (kind === 'bytesPerSecond') return `${formats.bytes(value)}/s`
  if (kind === 'perMinute') return say('activity.perMinute', { count: formats.count(value) })
  if (kind === 'milliseconds') return formats.duration(value / 1000)
  return kind === 'job' ? String(value) : formats.count(value)
}

export function cellShown(language: Language, kind: CellKind, value: HistoryCell): ReactNode {
  const text = cellText(language, kind, value)
  if (kind === 'job' && typeof value === 'number') return <a href={hrefOf({ place: 'job', job: value })}>{text}</a>
  if (kind === 'state' && typeof value === 'string') {
    const state = stateOf(value)
    return state ? <ToneBadge tone={state.tone} text={state.badge} meaning={state.meaning} /> : text
  }
  if (kind !== 'text') return text
  // Also jobs and results are texts: only of an address the end tells more than the middle.
  return /^[a-z]+:\/\//.test(text) ? <LongAddress address={text} /> : <span title={text}>{text}</span>
}

function stateOf(name: string) {
  const known = documentStates.states.find((state) => state === name)
  return known && documentStates.rows[known]
}
