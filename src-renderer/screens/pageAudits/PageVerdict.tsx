/** The verdict on one page, with its note; also by keys. */
import { Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import type { AuditedPageDetails } from '../../../src-main/contract/services/pageAudits.ts'
import { verdictValues, type VerdictValue } from '../../../src-main/contract/services/verdicts.ts'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import styles from './pageAudits.module.css'
import { VerdictButtons } from './VerdictButtons.tsx'

interface PageVerdictProps {
  page: Pick<AuditedPageDetails, 'job' | 'url' | 'verdict' | 'note'>
  onJudged: () => void
}

/** Mounted again for another page (by its key). */
export function PageVerdict({ page: { job, url, ...earlier }, onJudged }: PageVerdictProps) {
  const t = useWords()
  const { services } = useSession()
  const [verdict, setVerdict] = useState(earlier.verdict)
  const [note, setNote] = useState(earlier.note)
  const [saved, setSaved] = useState(earlier.note)
  async function judge(chosen: VerdictValue | null): Promise<void> {
    try {
      await services.verdicts.set({ job, urls: [url], verdict: chosen, note })
      setVerdict(chosen)
      setSaved(chosen === null ? '' : note)
      if (chosen === null) setNote('')
      onJudged()
    } catch (error) {
      showNotice({ message: faultFrom(error).message, isError: true })
    }
  }
  useHotkeys([
    ...verdictValues.map((value, at): [string, () => void] => [String(at + 1), () => void judge(value)]),
    ['0', () => void judge(null)],
  ])
  return (
    <section className={styles.verdict} aria-label={t('verdicts.title')}>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('verdicts.title')}
        </Text>
        <VerdictButtons label={t('verdicts.title')} value={verdict} onChange={(chosen) => void judge(chosen)} />
      </div>
      <Textarea
        label={t('verdicts.note')}
        description={t(verdict === null ? 'verdicts.note.first' : 'verdicts.note.hint')}
        autosize
        maxRows={6}
        disabled={verdict === null}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => verdict !== null && note !== saved && void judge(verdict)}
      />
    </section>
  )
}
