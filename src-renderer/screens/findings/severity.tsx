/** Severity of a finding, as a tone and a symbol. */
import { Info, OctagonX, TriangleAlert } from 'lucide-react'
import type { FileFinding } from '../../../src-main/contract/services/fileFindings.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

export type Severity = FileFinding['severity']
/** Worst first. */
export const severities: readonly Severity[] = ['error', 'warning', 'note']

const tones: Record<Severity, Tone> = { error: 'failed', warning: 'attention', note: 'idle' }

/** Colour and symbol of a note about a finding. */
export const findingIcons = {
  error: { color: 'red', icon: OctagonX },
  warning: { color: 'yellow', icon: TriangleAlert },
  note: { color: 'gray', icon: Info },
} as const satisfies Record<Severity, object>

export function SeverityBadge({ severity }: { severity: Severity }) {
  const t = useWords()
  return <ToneBadge tone={tones[severity]} text={t(`severity.${severity}`)} />
}

export function SeverityCount({ severity, count }: { severity: Severity; count: number }) {
  const formats = useFormats()
  return <ToneBadge tone={tones[severity]} text={formats.count(count)} />
}
