/** Missing resources and errors of the whole view since it was first opened, as input for further harvests. */
import type { Translate } from '../../words/language.ts'
import { Button, Group, Switch } from '@mantine/core'
import { Download, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Miss } from '../../../src-main/contract/services/viewer.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useMay } from '../../parts/useMay.ts'
import { useSession } from '../../state/session.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'
import { FilteredList } from './FilteredList.tsx'
import { errorsCsv, missesCsv } from './findingsCsv.ts'
import type { ShowOverlay } from './overlay.ts'
import { ErrorRow, MissingRow } from './ResourceRows.tsx'
import styles from './viewer.module.css'

export function ViewMisses({ onShow }: { onShow: ShowOverlay }) {
  const t = useWords()
  const { view: store } = useSession()
  const { misses, view, load, record } = useStore(store)
  const refusal = useMay().why('viewer.record')
  return (
    <Await of={misses} onRetry={() => void load()}>
      {(rows) => (
        <>
          <Switch
            mt="xs"
            size="sm"
            disabled={refusal !== null}
            title={refusal ?? undefined}
            label={t('resources.recording')}
            checked={valueOf(view)?.isRecording ?? false}
            onChange={(event) => void record(event.currentTarget.checked)}
          />
          <Tools name="missing.csv" count={rows.length} none={t('misses.none')} csv={() => missesCsv(rows, t)} />
          <Workbench />
          {rows.length === 0 ? (
            <EmptyState title={t('misses.none')} text={t('misses.none.text')} />
          ) : (
            <FilteredList label={t('resources.view.list')} rows={rows} textOf={(row) => textOf(row, t)}>
              {(miss) => <MissingRow missing={miss} miss={miss} onShow={onShow} />}
            </FilteredList>
          )}
        </>
      )}
    </Await>
  )
}

/** Leads to the misses of the jobs in the view, to ignore or patch them. */
function Workbench() {
  const t = useWords()
  const { view: store } = useSession()
  const jobs = valueOf(useStore(store).view)?.jobs ?? []
  if (jobs.length === 0) return null
  return (
    <a className={styles.workbench} href={hrefOf({ place: 'missing', jobs })}>
      {t('misses.workbench')}
    </a>
  )
}

export function ViewErrors({ onShow }: { onShow: ShowOverlay }) {
  const t = useWords()
  const { view: store } = useSession()
  const { errors, load } = useStore(store)
  return (
    <Await of={errors} onRetry={() => void load()}>
      {(rows) => (
        <>
          <Tools
            name="errors.csv"
            count={rows.length}
            none={t('resources.errors.none')}
            csv={() => errorsCsv(rows, t)}
          />
          {rows.length === 0 ? (
            <EmptyState title={t('resources.errors.none')} text={t('resources.errors.none.text')} />
          ) : (
            <FilteredList label={t('resources.errors.list')} rows={rows} textOf={(row) => textOf(row, t)}>
              {(error) => <ErrorRow error={error} onShow={onShow} />}
            </FilteredList>
          )}
        </>
      )}
    </Await>
  )
}

interface ToolsProps {
  name: string
  count: number
  /** The reason why an empty list cannot be cleared. */
  none: string
  csv: () => string
}

/** The engine clears both lists of a view together, so the question names both. */
function Tools({ name, count, none, csv }: ToolsProps): ReactNode {
  const t = useWords()
  const confirm = useConfirm()
  const { view: store } = useSession()
  const { misses, errors, clearFindings } = useStore(store)
  async function clear(): Promise<void> {
    const both = (valueOf(misses)?.length ?? 0) + (valueOf(errors)?.length ?? 0)
    const agreed = await confirm({
      title: t('misses.clear.title'),
      text: t('misses.clear.text', { count: both }),
      verb: t('misses.clear.verb'),
    })
    if (agreed) await clearFindings()
  }
  return (
    <Group gap="xs" mt="xs">
      <ActionButton
        needs="missing.clear"
        size="xs"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        why={count === 0 ? none : null}
        onClick={() => void clear()}
      >
        {t('misses.clear')}
      </ActionButton>
      {count > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => saveText(name, csv())}
        >
          {t('table.export')}
        </Button>
      )}
    </Group>
  )
}

function textOf({ url, referrer, why, resourceType }: Miss, t: Translate): string {
  return `${url} ${referrer} ${t(why)} ${resourceType}`
}
