/** Rules that ignore misses of the jobs, the jobs that patch them, and the overlays that these are in the viewer. */
import {} from '@mantine/core'
import { useCallback, useMemo } from 'react'
import type { MissRule, PatchJob } from '../../../src-main/contract/services/misses.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { showNotice } from '../../parts/notice.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { OverlayList } from './OverlayList.tsx'

interface RulesAndPatchesProps {
  jobs: number[]
  /** Changes when the misses have changed. */
  revision: number
  /** Called when a rule was removed. */
  onChanged: () => void
}

export function RulesAndPatches({ jobs, revision, onChanged }: RulesAndPatchesProps) {
  const { services } = useSession()
  const [rules, loadRules] = useLoaded(
    useCallback(() => services.misses.rules({ jobs }), [services, jobs]),
    revision,
  )
  const [patches, loadPatches] = useLoaded(
    useCallback(() => services.misses.patches({ jobs }), [services, jobs]),
    revision,
  )
  const [overlays, loadOverlays] = useLoaded(
    useCallback(() => services.overlays.list({ jobs }), [services, jobs]),
    revision,
  )
  return (
    <>
      <Await of={patches} onRetry={loadPatches}>
        {(rows) => rows.length > 0 && <Patches rows={rows} />}
      </Await>
      <Await of={overlays} onRetry={loadOverlays}>
        {(rows) => rows.length > 0 && <OverlayList overlays={rows} onChanged={loadOverlays} />}
      </Await>
      <Await of={rules} onRetry={loadRules}>
        {(rows) => rows.length > 0 && <Rules rows={rows} onChanged={onChanged} />}
      </Await>
    </>
  )
}

function Patches({ rows }: { rows: readonly PatchJob[] }) {
  const t = useWords()
  const columns = useMemo<Column<PatchJob>[]>(
    () => [
      {
        id: 'job',
        head: t('missing.patches.job'),
        value: ({ job }) => job,
        cell: ({ job }) => <a href={hrefOf({ place: 'job', job })}>{t('missing.jobs.jobLink', { job })}</a>,
      },
      { id: 'patches', head: t('missing.patches.patches'), value: ({ patches }) => patches, numeric: true, width: 110 },
      { id: 'misses', head: t('missing.patches.misses'), value: ({ misses }) => misses, numeric: true, width: 110 },
      { id: 'created', head: t('missing.patches.created'), value: ({ created }) => timeUtc(created), width: 180 },
      {
        id: 'view',
        head: t('missing.view'),
        value: () => '',
        cell: ({ job, patches }) => (
          <a
            href={hrefOf({ place: 'viewer', jobs: [patches, job] })}
            aria-label={t('missing.patches.viewNamed', { job, patches })}
          >
            {t('missing.patches.view')}
          </a>
        ),
        width: 120,
      },
    ],
    [t],
  )
  return (
    <Section title={t('missing.patches')}>
      <Table label={t('missing.patches')} rows={rows} columns={columns} rowKey={({ job }) => job} tools={false} />
    </Section>
  )
}

function Rules({ rows, onChanged }: { rows: readonly MissRule[]; onChanged: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const columns = useMemo<Column<MissRule>[]>(() => {
    async function remove(rule: number): Promise<void> {
      try {
        await services.misses.unignore({ rule })
      } catch (error) {
        showNotice({ message: faultText(faultFrom(error)), isError: true })
      }
      onChanged()
    }
    return [
      { id: 'pattern', head: t('missing.rules.pattern'), value: ({ pattern }) => pattern },
      { id: 'job', head: t('missing.jobs.job'), value: ({ job }) => job, numeric: true, width: 80 },
      { id: 'misses', head: t('missing.rules.misses'), value: ({ misses }) => misses, numeric: true, width: 120 },
      { id: 'created', head: t('missing.rules.created'), value: ({ created }) => timeUtc(created), width: 180 },
      {
        id: 'remove',
        head: t('missing.rules.remove'),
        value: () => '',
        cell: ({ rule, pattern }) => (
          <ActionButton
            needs="misses.unignore"
            size="compact-xs"
            variant="default"
            aria-label={t('missing.rules.removeNamed', { pattern })}
            onClick={() => void remove(rule)}
          >
            {t('missing.rules.remove')}
          </ActionButton>
        ),
        width: 110,
      },
    ]
  }, [t, services, onChanged])
  return (
    <Section title={t('missing.rules')}>
      <Table label={t('missing.rules')} rows={rows} columns={columns} rowKey={({ rule }) => rule} tools={false} />
    </Section>
  )
}
