/** Adds pasted seeds to an event harvest: each domain gets a configuration and a seed list with the name of the harvest. */
import { Alert, Button, Group, List, NumberInput, Select, SimpleGrid, Stack, Textarea } from '@mantine/core'
import { Info } from 'lucide-react'
import { useState } from 'react'
import type { SeedsAdded } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { BytesInput } from '../../parts/LimitInput.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { useTemplateNames } from '../domains/ConfigurationForm.tsx'

/** `harvest`: null while the dialog is closed. */
export function AddSeedsDialog({ harvest, onClose }: { harvest: number | null; onClose: () => void }) {
  const t = useWords()
  return (
    <FormDialog opened={harvest !== null} onClose={onClose} size={700} title={t('harvests.seeds')}>
      {harvest !== null && <Content harvest={harvest} onClose={onClose} />}
    </FormDialog>
  )
}

function Content({ harvest, onClose }: { harvest: number; onClose: () => void }) {
  const [added, setAdded] = useState<SeedsAdded | null>(null)
  return added ? <Result added={added} onClose={onClose} /> : <Form harvest={harvest} onAdded={setAdded} />
}

interface SeedsDraft {
  text: string
  template: string
  objectsMax: number | null
  bytesMax: number | null
}

const emptyDraft: SeedsDraft = { text: '', template: 'default', objectsMax: null, bytesMax: null }

function Form({ harvest, onAdded }: { harvest: number; onAdded: (added: SeedsAdded) => void }) {
  const t = useWords()
  const { services } = useSession()
  const templates = useTemplateNames()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: emptyDraft,
    problemsOf: ({ text }) => ({
      text: text.trim() === '' ? t('form.needed') : null,
      ...{ template: null, objectsMax: null, bytesMax: null },
    }),
    save: async (typed) => onAdded(await services.harvestDefinitions.addSeeds({ harvest, ...typed })),
    onSaved: () => undefined,
  })
  return (
    <form {...form} aria-label={t('harvests.seeds')}>
      <Stack>
        <Textarea
          {...control('text')}
          label={t('domains.seeds')}
          description={t('domains.seeds.hint')}
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autosize
          minRows={6}
          maxRows={18}
          data-autofocus
          value={draft.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <TextFileButton accept=".txt,.csv,text/plain" onText={(text) => change({ text })}>
          {t('domains.fromFile')}
        </TextFileButton>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
          <Select
            {...control('template')}
            label={t('generated.template')}
            searchable
            allowDeselect={false}
            data={[...new Set(['default', ...templates])]}
            value={draft.template}
            onChange={(template) => change({ template: template ?? draft.template })}
          />
          <NumberInput
            {...control('objectsMax')}
            label={t('harvests.objectsMax')}
            placeholder={t('harvests.unlimited')}
            min={0}
            allowDecimal={false}
            hideControls
            value={draft.objectsMax ?? ''}
            onChange={(value) => change({ objectsMax: typeof value === 'number' ? value : null })}
          />
          <BytesInput
            {...control('bytesMax')}
            label={t('harvests.bytesMax')}
            placeholder={t('harvests.unlimited')}
            value={draft.bytesMax}
            onChange={(bytesMax) => change({ bytesMax })}
          />
        </SimpleGrid>
        <FormEnd refusal={refusal} verb={t('harvests.seeds')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}

/** Refused lines that are shown. */
const refusedShownMax = 50

function Result({
  added: { seeds, configurations, domainsNew, refused },
  onClose,
}: {
  added: SeedsAdded
  onClose: () => void
}) {
  const t = useWords()
  return (
    <Stack>
      <Alert color="blue" icon={<Info aria-hidden />} role="status">
        {t('harvests.seeds.result', { seeds, configurations, domainsNew })}
      </Alert>
      {refused.length > 0 && (
        <Alert color="red" title={t('harvests.seeds.refused', { count: refused.length })}>
          <List size="sm">
            {refused.slice(0, refusedShownMax).map(({ line, problem }) => (
              <List.Item key={line}>{t(problem)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="end">
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </Stack>
  )
}
