/** Starts a page audit: which pages, how many at once, and with what they are compared. */
import { NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import type { PageAuditRequest, PageAuditSummary } from '../../../src-main/contract/services/pageAudits.ts'
import { pagesAtOnceMax } from '../../../src-main/contract/services/pageAudits.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { requestOf, samplings, type StartDraft } from './startDraft.ts'

interface StartFormProps {
  job: number
  onStarted: (audit: PageAuditSummary) => void
}

const opened: StartDraft = { by: 'all', pages: 100, seed: 1, pattern: '', pagesAtOnce: 2, compareWith: null }

export function StartForm({ job, onStarted }: StartFormProps) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened,
    problemsOf({ pattern }) {
      const problem = pattern === '' ? null : patternProblem(pattern)
      return { sampling: null, pattern: problem && t(problem), pagesAtOnce: null, compareWith: null }
    },
    async save(given: StartDraft) {
      const request: Partial<PageAuditRequest> = requestOf(given)
      onStarted(await services.pageAudits.start({ job, ...request }))
    },
    onSaved: () => undefined,
  })
  return (
    <form {...form} aria-label={t('pageAudits.start')}>
      <Stack>
        <Text size="sm">{t('pageAudits.start.text')}</Text>
        <Radio.Group
          {...control('sampling')}
          label={t('pageAudits.sampling')}
          value={draft.by}
          onChange={(value) => change({ by: samplings.find((known) => known === value) ?? 'all' })}
        >
          <Stack gap={6} mt={4}>
            {samplings.map((by) => (
              <Radio key={by} value={by} label={t(`pageAudits.sampling.${by}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {draft.by !== 'all' && (
          <NumberInput
            label={t(draft.by === 'first' ? 'pageAudits.pagesPerHost' : 'pageAudits.pagesDrawn')}
            min={1}
            max={100_000}
            allowDecimal={false}
            value={draft.pages}
            onChange={(pages) => change({ pages: Number(pages) || 1 })}
          />
        )}
        {draft.by === 'random' && (
          <NumberInput
            label={t('pageAudits.seed')}
            description={t('pageAudits.seed.hint')}
            min={0}
            allowDecimal={false}
            value={draft.seed}
            onChange={(seed) => change({ seed: Number(seed) || 0 })}
          />
        )}
        <TextInput
          {...control('pattern')}
          label={t('pageAudits.pattern')}
          description={t('pageAudits.pattern.hint')}
          value={draft.pattern}
          onChange={(event) => change({ pattern: event.currentTarget.value })}
        />
        <NumberInput
          {...control('pagesAtOnce')}
          label={t('pageAudits.pagesAtOnce')}
          min={1}
          max={pagesAtOnceMax}
          clampBehavior="strict"
          allowDecimal={false}
          value={draft.pagesAtOnce}
          onChange={(pagesAtOnce) => change({ pagesAtOnce: Number(pagesAtOnce) || 1 })}
        />
        <ComparedWith {...{ job, draft, change }} control={control('compareWith')} />
        <FormEnd
          refusal={refusal}
          verb={t('pageAudits.start.verb')}
          why={isSending ? t('pageAudits.starting') : null}
        />
      </Stack>
    </form>
  )
}

interface ComparedWithProps {
  job: number
  draft: StartDraft
  change: (changes: Partial<StartDraft>) => void
  control: object
}

function ComparedWith({ job, draft, change, control }: ComparedWithProps) {
  const t = useWords()
  const { services } = useSession()
  const [jobs] = useLoaded(useMemo(() => () => services.jobs.list({}), [services]))
  const others = jobs.is === 'ready' ? jobs.value.filter((other) => other.job !== job && other.ended !== null) : []
  return (
    <Select
      {...control}
      label={t('pageAudits.compareWith')}
      description={draft.compareWith === 'live' ? t('pageAudits.compareWith.live.hint') : undefined}
      placeholder={t('pageAudits.compareWith.nothing')}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('pageAudits.compareWith.clear') }}
      data={[
        { value: 'crawlTime', label: t('pageAudits.compareWith.crawlTime') },
        { value: 'live', label: t('pageAudits.compareWith.live') },
        ...others.map((other) => ({
          value: String(other.job),
          label: t('pageAudits.compareWith.job', { job: other.job, name: other.harvest }),
        })),
      ]}
      value={draft.compareWith}
      onChange={(compareWith) => change({ compareWith })}
    />
  )
}
