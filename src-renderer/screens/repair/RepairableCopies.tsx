/** Copies that can be repaired. Several missing copies can be selected and restored one after the other; a damaged copy is replaced on its
 *  own, with its checksum. */
import { Button, Checkbox, Group } from '@mantine/core'
import { ArchiveRestore } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { RepairableCopy } from '../../../src-main/contract/services/repairs.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { copyKey, isRepairing, isUnderWay } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { fileColumn, replicaColumn } from '../copies/columns.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { copyTones } from './repairTones.ts'

export function RepairableCopies({ copies }: { copies: readonly RepairableCopy[] }) {
  const t = useWords()
  const confirm = useConfirm()
  const { repairs: store } = useSession()
  const { row, outcomes, restoreRow } = useStore(store)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const missing = copies.filter((copy) => copy.state !== 'corrupt')
  // Copies that were restored in the meantime are no longer in the list.
  const chosen = missing.filter((copy) => keys.has(copyKey(copy)))
  const columns = useColumns({
    chosen: keys,
    onChoose: setKeys,
    running: (copy) => isRepairing(outcomes.get(copyKey(copy))),
  })

  async function restore(): Promise<void> {
    const agreed = await confirm({
      title: t('repair.restore.ask', { copies: chosen.length }),
      text: t('repair.restore.ask.text'),
      verb: t('repair.restoreChosen', { copies: chosen.length }),
    })
    if (!agreed) return
    setKeys(new Set())
    await restoreRow(chosen)
  }

  return (
    <>
      {missing.length > 0 && (
        <Group gap="xs" mb="sm">
          <ActionButton
            leftSection={<ArchiveRestore size={16} aria-hidden />}
            why={
              isUnderWay(row)
                ? t('repair.restoreChosen.busy')
                : chosen.length === 0
                  ? t('repair.restoreChosen.why')
                  : null
            }
            onClick={() => void restore()}
          >
            {t('repair.restoreChosen', { copies: chosen.length })}
          </ActionButton>
          <Button
            variant="default"
            onClick={() => setKeys(chosen.length === missing.length ? new Set() : new Set(missing.map(copyKey)))}
          >
            {t(chosen.length === missing.length ? 'repair.chooseNone' : 'repair.chooseAll')}
          </Button>
        </Group>
      )}
      <Table
        label={t('repair.copies')}
        rows={copies}
        columns={columns}
        rowKey={copyKey}
        empty={null}
        tools={copies.length > toolsFrom}
      />
    </>
  )
}

/** A list that fits on the screen needs no filter. */
const toolsFrom = 12

interface Choice {
  chosen: ReadonlySet<string>
  onChoose: (keys: ReadonlySet<string>) => void
  running: (copy: RepairableCopy) => boolean
}

function useColumns({ chosen, onChoose, running }: Choice): Column<RepairableCopy>[] {
  const t = useWords()
  const { bytes } = useFormats()
  return useMemo(
    () => [
      {
        id: 'chosen',
        head: t('repair.chosen'),
        value: (copy) => (chosen.has(copyKey(copy)) ? t('repair.chosen.yes') : ''),
        cell: (copy) =>
          copy.state === 'corrupt' ? (
            <span className="dimmed" title={t('repair.choose.not.why')}>
              {t('repair.choose.not')}
            </span>
          ) : (
            <Checkbox
              size="xs"
              aria-label={t('repair.choose', { name: copy.name, replica: copy.replica })}
              checked={chosen.has(copyKey(copy))}
              onChange={(event) => {
                const others = [...chosen].filter((key) => key !== copyKey(copy))
                onChoose(new Set(event.currentTarget.checked ? [...others, copyKey(copy)] : others))
              }}
            />
          ),
        width: 108,
      },
      fileColumn(t),
      replicaColumn(t),
      {
        id: 'state',
        head: t('repair.what'),
        value: ({ state }) => t(`repair.state.${state}`),
        cell: ({ state }) => <ToneBadge tone={copyTones[state]} text={t(`repair.state.${state}`)} />,
        width: 184,
      },
      {
        id: 'would',
        head: t('repair.done'),
        value: ({ state }) => t(`repair.would.${state}`),
        width: 140,
      },
      { id: 'from', head: t('repair.from'), value: ({ sources }) => sources.join(', '), width: 128 },
      {
        id: 'bytes',
        head: t('repair.bytes'),
        value: (copy) => copy.bytes,
        cell: (copy) => bytes(copy.bytes),
        numeric: true,
        width: 88,
      },
      {
        id: 'act',
        head: t('repair.act'),
        value: () => '',
        cell: (copy) => (
          <a
            href={hrefOf({ place: 'repair', file: copy.name, replica: copy.replica })}
            aria-label={t('repair.act.name', { name: copy.name, replica: copy.replica })}
          >
            {t(running(copy) ? 'repair.act.running' : 'repair.act.open')}
          </a>
        ),
        width: 128,
      },
    ],
    [t, bytes, chosen, onChoose, running],
  )
}
