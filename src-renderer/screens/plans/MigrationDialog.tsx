/** Asks what a new version of a plan takes over from the version before. */
import { Checkbox, Group, Modal, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { DeliveryPlanRow } from '../../../src-main/contract/services/deliveries.ts'
import { deliveryStates, type DeliveryState } from '../../../src-main/contract/states/deliveryStates.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'

export type Migration = NonNullable<Parameters<Loupe['deliveries']['save']>[0]['migration']>

interface MigrationDialogProps {
  /** The plan as it is; null: closed. */
  before: DeliveryPlanRow | null
  onSave: (migration: Migration) => void
  onClose: () => void
}

export function MigrationDialog({ before, onSave, onClose }: MigrationDialogProps) {
  const t = useWords()
  const title = before ? t('planEditor.dialog', { name: before.name, version: before.newest + 1 }) : ''
  return (
    <Modal
      opened={before !== null}
      onClose={onClose}
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {before && <Choice before={before} onSave={onSave} />}
    </Modal>
  )
}

const ways = ['keep', 'refeed', 'some'] as const

function Choice({ before, onSave }: { before: DeliveryPlanRow; onSave: (migration: Migration) => void }) {
  const t = useWords()
  const { count } = useFormats()
  const [way, setWay] = useState<(typeof ways)[number]>('keep')
  const [kept, setKept] = useState<readonly DeliveryState[]>(['INDEXED'])
  const migration: Migration = way === 'some' ? { keep: [...kept] } : way
  return (
    <Stack>
      <Radio.Group
        label={t('planEditor.migration', { version: before.newest })}
        value={way}
        onChange={(value) => setWay(ways.find((each) => each === value) ?? way)}
      >
        <Stack mt="xs" gap="sm">
          {ways.map((each) => (
            <Radio
              key={each}
              value={each}
              label={t(`planEditor.migration.${each}`)}
              description={t(`planEditor.migration.${each}.meaning`)}
              {...(each === 'keep' && { 'data-autofocus': true })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {way === 'some' && (
        <Checkbox.Group
          label={t('planEditor.migration.statuses')}
          value={[...kept]}
          onChange={(values) => setKept(deliveryStates.states.filter((state) => values.includes(state)))}
        >
          <Group mt="xs">
            {deliveryStates.states.map((state) => (
              <Checkbox
                key={state}
                value={state}
                label={t('plan.status.option', {
                  ...{ badge: t(deliveryStates.rows[state].badge), state },
                  count: count(before.counts[state] ?? 0),
                })}
              />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Group justify="end">
        <ActionButton
          why={way === 'some' && kept.length === 0 ? t('planEditor.migration.needed') : null}
          onClick={() => onSave(migration)}
        >
          {t('planEditor.dialog.verb', { version: before.newest + 1 })}
        </ActionButton>
      </Group>
    </Stack>
  )
}
