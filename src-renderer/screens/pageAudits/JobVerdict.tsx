/** How many pages of a job were judged, and the verdict on the whole job. What is not in a file of the job yet is stored when the screen is left. */
import { Group, Text } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import type { VerdictValue } from '../../../src-main/contract/services/verdicts.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { showNotice } from '../../parts/notice.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { VerdictButtons } from './VerdictButtons.tsx'

interface JobVerdictProps {
  job: number
  /** Changes when a page was judged. */
  round: number
}

export function JobVerdict({ job, round }: JobVerdictProps) {
  const t = useWords()
  const { services } = useSession()
  const [progress, reload] = useLoaded(useMemo(() => () => services.verdicts.progress({ job }), [services, job]))
  useEffect(() => void (round > 0 && reload()), [round, reload])
  const attempted = (act: Promise<unknown>) =>
    act.then(reload, (error: unknown) => showNotice({ message: faultFrom(error).message, isError: true }))
  useEffect(
    () => () =>
      void services.verdicts
        .store({ job })
        .catch((error: unknown) => showNotice({ message: faultFrom(error).message, isError: true })),
    [services, job],
  )
  const judge = (verdict: VerdictValue | null) => void attempted(services.verdicts.set({ job, urls: [''], verdict }))
  return (
    <Await of={progress} onRetry={reload}>
      {({ audited, auditedJudged: judged, ofJob, unstored, ...counts }) => (
        <div>
          <Group gap="sm" mt="xs">
            <Text size="sm" fw={600}>
              {t('verdicts.ofJob')}
            </Text>
            <VerdictButtons label={t('verdicts.ofJob')} value={ofJob?.verdict ?? null} onChange={judge} />
          </Group>
          <Text size="sm" mt="xs" role="status">
            {t('verdicts.progress', { audited: audited ?? 0, judged, ...counts })}
          </Text>
          {unstored > 0 && (
            <Group gap="sm" mt={4}>
              <Text size="sm" c="dimmed">
                {t('verdicts.unstored', { count: unstored })}
              </Text>
              <ActionButton
                needs="verdicts.store"
                size="compact-xs"
                variant="default"
                onClick={() => void attempted(services.verdicts.store({ job }))}
              >
                {t('verdicts.store')}
              </ActionButton>
            </Group>
          )}
        </div>
      )}
    </Await>
  )
}
