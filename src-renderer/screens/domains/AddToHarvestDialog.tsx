/** Adds the default configurations of domains to a selective harvest. */
import { Select, Stack, Text } from '@mantine/core'
import { useCallback } from 'react'
import type { ConfigurationName } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { goTo } from '../../routes/routes.ts'
import { inputOf } from '../../state/harvestInput.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

interface AddToHarvestDialogProps {
  /** Null while the dialog is closed. */
  configurations: readonly ConfigurationName[] | null
  onClose: () => void
  onDone: () => void
}

export function AddToHarvestDialog({ configurations, onClose, onDone }: AddToHarvestDialogProps) {
  const t = useWords()
  return (
    <FormDialog opened={configurations !== null} onClose={onClose} size={560} title={t('domains.toHarvest')}>
      {configurations && <Choice configurations={configurations} onClose={onClose} onDone={onDone} />}
    </FormDialog>
  )
}

function Choice({
  configurations: chosen,
  onClose,
  onDone,
}: AddToHarvestDialogProps & { configurations: readonly ConfigurationName[] }) {
  const t = useWords()
  const { services } = useSession()
  const [harvests, reload] = useLoaded(
    useCallback(() => services.harvestDefinitions.list({ kind: 'selective' }), [services]),
  )
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { harvest: null as string | null },
    problemsOf: ({ harvest }) => ({ harvest: harvest === null ? t('form.needed') : null }),
    save: async (typed) => {
      const harvest = Number(typed.harvest)
      const definition = await inputOf(services.harvestDefinitions, harvest)
      const known = new Set(definition.configurations.map(({ domain }) => domain))
      const configurations = [...definition.configurations, ...chosen.filter(({ domain }) => !known.has(domain))]
      await services.harvestDefinitions.edit({ harvest, definition: { ...definition, configurations } })
      onDone()
      goTo({ place: 'harvest', harvest })
    },
    onSaved: onClose,
  })
  return (
    <Await of={harvests} onRetry={reload}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={t('domains.noHarvest')} text={t('domains.noHarvest.text')} />
        ) : (
          <form {...form} aria-label={t('domains.toHarvest')}>
            <Stack>
              <Text size="sm">{t('domains.toHarvest.text', { count: chosen.length })}</Text>
              <Select
                {...control('harvest')}
                label={t('statistics.harvest')}
                searchable
                data={rows.map(({ harvest, name }) => ({ value: String(harvest), label: name }))}
                value={draft.harvest}
                onChange={(harvest) => change({ harvest })}
              />
              <FormEnd
                refusal={refusal}
                verb={t('domains.toHarvest.verb')}
                why={isSending ? t('schedule.saving') : null}
              />
            </Stack>
          </form>
        )
      }
    </Await>
  )
}
