/** One harvest definition: what it harvests and when, its runs with their jobs, and its statistics. */
import { Alert, Button, Text } from '@mantine/core'
import { CirclePause, CirclePlay, Download, OctagonX, Pencil, Play, Sprout } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { HarvestRow } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { saveText } from '../../parts/csv.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSending } from '../../parts/useSending.ts'
import { hrefOf } from '../../routes/routes.ts'
import { inputOf } from '../../state/harvestInput.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { HarvestRuns } from '../statistics/HarvestRuns.tsx'
import { AddSeedsDialog } from './AddSeedsDialog.tsx'
import { draftOf, type HarvestDefinitionDraft } from './definitionDraft.ts'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { HarvestConfigurations } from './HarvestConfigurations.tsx'
import { HarvestDefinitionDialog } from './HarvestDefinitionDialog.tsx'
import { harvestLook } from './harvestLook.ts'
import { RunList } from './RunList.tsx'
import { useHarvestActions } from './useHarvestActions.ts'

export function HarvestScreen({ harvest }: { harvest: number }) {
  const t = useWords()
  const { services } = useSession()
  const [row, reload] = useLoaded(useCallback(() => services.harvestDefinitions.show({ harvest }), [services, harvest]))
  useChanges(services.harvestDefinitions.changed, reload)
  useChanges(services.jobs.changed, reload)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'harvests', tab: 'harvests' })}>
        {t('harvests.all')}
      </a>
      <Await of={row} onRetry={reload}>
        {(value) => (
          <>
            <Head row={value} />
            {value.problem && (
              <Alert color="red" icon={<OctagonX aria-hidden />} mb="md">
                {t(value.problem)}
              </Alert>
            )}
            {value.comments !== '' && <Text mb="md">{value.comments}</Text>}
            <HarvestFacts row={value} />
            {value.kind !== 'snapshot' && <HarvestConfigurations harvest={harvest} />}
            <Section title={t('harvests.runs')}>
              <RunList harvest={harvest} />
            </Section>
            <Section title={t('harvests.tab.statistics')}>
              <HarvestRuns harvest={harvest} />
            </Section>
          </>
        )}
      </Await>
    </>
  )
}

function Head({ row }: { row: HarvestRow }) {
  const t = useWords()
  const { services } = useSession()
  const { harvest, name, kind, isActive, isGenerating } = row
  const { running, act } = useHarvestActions()
  const [edited, setEdited] = useState<HarvestDefinitionDraft | null>(null)
  const [isSeeding, setSeeding] = useState(false)
  const reading = useSending()
  const generating = isGenerating ? t('harvests.state.generating') : null
  const read = (use: (input: Awaited<ReturnType<typeof inputOf>>) => void) =>
    void reading.send(async () => use(await inputOf(services.harvestDefinitions, harvest)))
  return (
    <>
      <PageHead
        title={name}
        aside={<ToneBadge {...harvestLook(t, row)} />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              onClick={() =>
                read((input) => saveText(`${name}.json`, JSON.stringify(input, undefined, 2), 'application/json'))
              }
            >
              {t('harvests.export')}
            </Button>
            {kind === 'event' && (
              <ActionButton
                needs="harvestDefinitions.addSeeds"
                variant="default"
                leftSection={<Sprout size={16} aria-hidden />}
                onClick={() => setSeeding(true)}
              >
                {t('harvests.seeds')}
              </ActionButton>
            )}
            <ActionButton
              needs="harvestDefinitions.edit"
              variant="default"
              leftSection={<Pencil size={16} aria-hidden />}
              onClick={() => read((input) => setEdited(draftOf(input)))}
            >
              {t('harvests.edit')}
            </ActionButton>
            <ActionButton
              needs="harvestDefinitions.run"
              variant="default"
              leftSection={<Play size={16} aria-hidden />}
              loading={running === 'run'}
              why={generating}
              onClick={() => void act('run', [harvest])}
            >
              {t('harvests.run')}
            </ActionButton>
            <ActionButton
              needs={isActive ? 'harvestDefinitions.deactivate' : 'harvestDefinitions.activate'}
              leftSection={isActive ? <CirclePause size={16} aria-hidden /> : <CirclePlay size={16} aria-hidden />}
              loading={running === 'activate' || running === 'deactivate'}
              why={generating}
              onClick={() => void act(isActive ? 'deactivate' : 'activate', [harvest])}
            >
              {t(isActive ? 'harvests.deactivate' : 'harvests.activate')}
            </ActionButton>
          </>
        }
      />
      {reading.refusal && <FaultNote fault={reading.refusal} />}
      <HarvestDefinitionDialog draft={edited} harvest={harvest} onClose={() => setEdited(null)} />
      <AddSeedsDialog harvest={isSeeding ? harvest : null} onClose={() => setSeeding(false)} />
    </>
  )
}

function HarvestFacts({ row }: { row: HarvestRow }) {
  const t = useWords()
  const { count, bytes, duration } = useFormats()
  const unlimited = t('harvests.unlimited')
  return (
    <div className="card">
      <Facts
        facts={[
          { name: t('harvests.kind'), value: t(`harvests.kind.${row.kind}`) },
          ...(row.schedule === null ? [] : [{ name: t('harvests.schedule'), value: row.schedule }]),
          ...(row.previous === null ? [] : [{ name: t('harvests.previous'), value: row.previous }]),
          { name: t('harvests.nextRun'), value: row.nextRun === null ? '–' : timeUtc(row.nextRun) },
          { name: t('harvests.objectsMaxOf'), value: row.objectsMax === null ? unlimited : count(row.objectsMax) },
          { name: t('harvests.bytesMaxOf'), value: row.bytesMax === null ? unlimited : bytes(row.bytesMax) },
          { name: t('harvests.secondsMaxOf'), value: row.secondsMax === null ? unlimited : duration(row.secondsMax) },
          { name: t('harvests.priority'), value: row.priority },
          { name: t('generated.channel'), value: row.channel },
          ...(row.audience === '' ? [] : [{ name: t('harvests.audience'), value: row.audience }]),
          ...Object.entries(row.fields).map(([name, value]) => ({ name, value: String(value) })),
        ]}
      />
    </div>
  )
}
