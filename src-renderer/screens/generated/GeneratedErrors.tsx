/** Errors of a generated job: in short, and all lines of its log about them when they are opened; those of the harvest and those of the
 *  upload apart. */
import { Alert } from '@mantine/core'
import { OctagonX } from 'lucide-react'
import { useCallback } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { GeneratedJobRow } from '../../../src-main/contract/services/generatedJobs.ts'
import { timeUtc } from '../../parts/formats.ts'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

type Lines = Awaited<ReturnType<Loupe['generatedJobs']['errors']>>['harvest']

export function GeneratedErrors({ row }: { row: GeneratedJobRow }) {
  const t = useWords()
  const { services } = useSession()
  const { job, harvestError, uploadError } = row
  const [loaded, reload] = useLoaded(useCallback(() => services.generatedJobs.errors({ job }), [services, job]))
  useChanges(services.jobs.changed, reload)
  const errors = valueOf(loaded)
  return (
    <>
      {harvestError && (
        <ErrorNote short={t('generated.error.harvest', { problem: t(harvestError) })} lines={errors?.harvest ?? []} />
      )}
      {uploadError && (
        <ErrorNote short={t('generated.error.upload', { problem: t(uploadError) })} lines={errors?.upload ?? []} />
      )}
    </>
  )
}

function ErrorNote({ short, lines }: { short: string; lines: Lines }) {
  const t = useWords()
  return (
    <Alert color="red" icon={<OctagonX aria-hidden />} mt="sm">
      {short}
      {lines.length > 0 && (
        <details>
          <summary>{t('generated.error.details', { lines: lines.length })}</summary>
          <ol className="log" tabIndex={0} aria-label={short}>
            {lines.map(({ at, message }, index) => (
              <li key={index}>
                <time dateTime={at}>{timeUtc(at)}</time> {t(message)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Alert>
  )
}
