/** Overlays of jobs: patch jobs whose captures the viewer shows with the jobs that they patch. Each can be switched off and renamed. */
import { Switch, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Overlay } from '../../../src-main/contract/services/overlays.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { showNotice } from '../../parts/notice.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useMay } from '../../parts/useMay.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

interface OverlayListProps {
  overlays: readonly Overlay[]
  /** Called when an overlay was changed. */
  onChanged: () => void
}

export function OverlayList({ overlays, onChanged }: OverlayListProps) {
  const t = useWords()
  const { services } = useSession()
  const [renamed, setRenamed] = useState<Overlay | null>(null)
  const { why } = useMay()
  const columns = useMemo<Column<Overlay>[]>(() => {
    async function turn({ patches, job, isOn }: Overlay): Promise<void> {
      try {
        await services.overlays.change({ patches, job, isOn: !isOn })
      } catch (error) {
        showNotice({ message: faultText(faultFrom(error)), isError: true })
      }
      onChanged()
    }
    return [
      {
        id: 'isOn',
        head: t('overlays.isOn'),
        value: ({ isOn }) => (isOn ? 1 : 0),
        cell: (overlay) => (
          <Switch
            disabled={why('overlays.change') !== null}
            title={why('overlays.change') ?? undefined}
            size="xs"
            aria-label={t('overlays.isOnNamed', { name: overlay.name })}
            checked={overlay.isOn}
            onChange={() => void turn(overlay)}
          />
        ),
        width: 90,
      },
      { id: 'name', head: t('overlays.name'), value: ({ name }) => name, widthMin: 200 },
      {
        id: 'job',
        head: t('missing.patches.job'),
        value: ({ job }) => job,
        cell: ({ job }) => <a href={hrefOf({ place: 'job', job })}>{t('missing.jobs.jobLink', { job })}</a>,
        width: 110,
      },
      { id: 'patches', head: t('missing.patches.patches'), value: ({ patches }) => patches, numeric: true, width: 90 },
      { id: 'created', head: t('missing.patches.created'), value: ({ created }) => timeUtc(created), width: 180 },
      {
        id: 'rename',
        head: t('overlays.rename.verb'),
        value: () => '',
        cell: (overlay) => (
          <ActionButton
            needs="overlays.change"
            size="compact-xs"
            variant="default"
            aria-label={t('overlays.renameNamed', { name: overlay.name })}
            onClick={() => setRenamed(overlay)}
          >
            {t('overlays.rename')}
          </ActionButton>
        ),
        width: 110,
      },
    ]
  }, [t, services, why, onChanged])
  return (
    <Section title={t('overlays.title')}>
      <p className="dimmed">{t('overlays.text')}</p>
      <Table
        label={t('overlays.title')}
        rows={overlays}
        columns={columns}
        rowKey={({ patches, job }) => `${patches} ${job}`}
        tools={false}
      />
      <FormDialog opened={renamed !== null} onClose={() => setRenamed(null)} title={t('overlays.rename.title')}>
        {renamed && (
          <RenameForm
            overlay={renamed}
            onDone={() => {
              setRenamed(null)
              onChanged()
            }}
          />
        )}
      </FormDialog>
    </Section>
  )
}

function RenameForm({ overlay: { patches, job, name }, onDone }: { overlay: Overlay; onDone: () => void }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm({
    opened: { name },
    problemsOf: ({ name: typed }) => ({ name: typed.trim() === '' ? t('overlays.rename.empty') : null }),
    save: ({ name: typed }) => services.overlays.change({ patches, job, name: typed }),
    onSaved: onDone,
  })
  return (
    <form {...form} aria-label={t('overlays.rename.title')}>
      <TextInput
        {...control('name')}
        label={t('overlays.name')}
        maxLength={100}
        data-autofocus
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <FormEnd
        refusal={refusal}
        verb={t('overlays.rename.verb')}
        why={isSending ? t('overlays.rename.sending') : null}
      />
    </form>
  )
}
