/** The form that defines a harvest. Every limit is optional and has a unit; every choice has an explanation. */
import { Alert, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { Info, Rocket, Save } from 'lucide-react'
import { isLocal, type RepositoryName } from '../../../src-main/contract/services/connectors.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { isAtRest } from '../jobs/jobWords.ts'
import { OutputChoice, RepositoryChoice, RepositorySettings } from './ConnectorPart.tsx'
import { textProps } from './fieldProps.ts'
import { FoldedParts } from './FoldedParts.tsx'
import { LimitFields } from './LimitFields.tsx'
import { PresetChoice } from './PresetChoice.tsx'
import { SchedulePart } from './SchedulePart.tsx'
import { ScopeField } from './ScopeField.tsx'
import { useConnectorPart } from './useConnectorPart.ts'
import { useHarvestForm, type HarvestFields, type HarvestFormOptions } from './useHarvestForm.ts'
import styles from './harvest.module.css'

export function HarvestForm({ edited, onDone }: HarvestFormOptions) {
  const t = useWords()
  const { form, fields, refusal, isSending, submit } = useHarvestForm({ edited, onDone })
  const { draft, change } = fields
  const { repository } = draft.connectors
  const connectors = useConnectorPart(fields)
  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label={t(edited ? 'form.edit.form' : 'form.title')}
    >
      <Stack gap="lg">
        {edited && (
          <Alert color="blue" icon={<Info aria-hidden />}>
            {t(isAtRest(edited) ? 'form.edit.atRest' : 'form.edit.inRun')}
          </Alert>
        )}
        <RepositoryChoice {...connectors} />
        <SeedsField fields={fields} />
        {repository !== 'web' && <RepositorySettings {...connectors} />}
        <TextInput {...textProps(t, fields, { field: 'name', label: 'form.name', description: 'form.name.hint' })} />
        {repository === 'web' && !edited && <PresetChoice fields={fields} />}
        {repository === 'web' && <ScopeField fields={fields} />}
        <LimitFields fields={fields} hasHops={repository === 'web'} />
        <SchedulePart draft={draft.schedule} onChange={(schedule) => change('schedule', schedule)} />
        <div className={styles.foldedParts}>
          <FoldedParts fields={fields} isLocal={isLocal(repository)} />
          <FoldedPart title={t('form.output')} text={t('form.output.text')}>
            <OutputChoice {...connectors} />
          </FoldedPart>
        </div>
        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton
            type="submit"
            onClick={() => undefined}
            why={isSending ? t(edited ? 'form.edit.saving' : 'form.starting') : null}
            leftSection={edited ? <Save size={16} aria-hidden /> : <Rocket size={16} aria-hidden />}
          >
            {t(edited ? 'form.edit.save' : draft.schedule === null ? 'form.start' : 'form.schedule.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

function SeedsField({ fields }: { fields: HarvestFields }) {
  const t = useWords()
  const { label, hint } = seedsWords[fields.draft.connectors.repository]
  return (
    <Textarea
      {...textProps(t, fields, { field: 'seeds', label, description: hint })}
      required
      autosize
      minRows={3}
      maxRows={10}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      data-autofocus
    />
  )
}

const seedsWords: Record<RepositoryName, { label: WordId; hint: WordId }> = {
  web: { label: 'form.seeds', hint: 'form.seeds.hint' },
  sitemap: { label: 'form.seeds.sitemap', hint: 'form.seeds.sitemap.hint' },
  feed: { label: 'form.seeds.feed', hint: 'form.seeds.feed.hint' },
  folder: { label: 'form.seeds.folder', hint: 'form.seeds.folder.hint' },
  module: { label: 'form.seeds.module', hint: 'form.seeds.module.hint' },
}
