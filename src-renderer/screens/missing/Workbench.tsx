/** The missing URLs of jobs: grouped, filtered, selected, and what can be done about the selected ones. */
import { Button, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  missOrders,
  type JobMiss,
  type MissFilter,
  type MissGroup,
  type MissOrder,
} from '../../../src-main/contract/services/misses.ts'
import { missStates, type MissState } from '../../../src-main/contract/states/missStates.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FilteredPages } from '../../parts/FilteredPages.tsx'
import { useRowSelection } from '../../parts/rowSelection.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useChanges } from '../../parts/useChanges.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { chosenKey, chosenOf } from './chosenMiss.ts'
import { MissActions } from './MissActions.tsx'
import { MissGroups } from './MissGroups.tsx'
import { RulesAndPatches } from './RulesAndPatches.tsx'
import { useMissColumns } from './missColumns.tsx'
import styles from './missing.module.css'

const urlOf = ({ url }: JobMiss) => url

export function Workbench({ jobs }: { jobs: number[] }) {
  const t = useWords()
  const { services } = useSession()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), typingPauseMs)
  const [state, setState] = useState<MissState | null>('OPEN')
  const [by, setBy] = useState<MissGroup>('host')
  const [group, setGroup] = useState<string | null>(null)
  const [order, setOrder] = useState<{ id: MissOrder; descending: boolean }>({ id: 'url', descending: false })
  const [revision, setRevision] = useState(0)
  const selection = useRowSelection(chosenKey, urlOf)
  const filter = useMemo<MissFilter>(
    () => ({ jobs, ...(text !== '' && { text }), ...(state && { state }) }),
    [jobs, text, state],
  )
  const whole = useMemo<MissFilter>(() => ({ ...filter, ...(group !== null && { [by]: group }) }), [filter, by, group])
  const fetchPage = useCallback(
    (page: { offset: number; limit: number }) =>
      services.misses.list({ ...whole, sort: order.id, descending: order.descending, ...page }),
    [services, whole, order],
  )
  const pages = useMemo(() => makePages(fetchPage), [fetchPage])
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const reload = () => setRevision((before) => before + 1)
  useChanges(services.jobs.changed, reload)

  function clear(): void {
    setTyped('')
    setState(null)
    setGroup(null)
  }

  return (
    <>
      <div className={styles.workbench}>
        <MissGroups
          {...{ filter, by, group, revision }}
          onBy={(chosen) => {
            setBy(chosen)
            setGroup(null)
          }}
          onGroup={setGroup}
        />
        <div className={styles.list}>
          <FilteredPages
            label={t('missing.list')}
            columns={useMissColumns(jobs.length > 1)}
            pages={pages}
            fetchPage={fetchPage}
            text={{ value: typed, label: t('missing.filter'), onChange: setTyped }}
            sorting={{
              by: missOrders,
              ...order,
              onSort: (id, descending) =>
                setOrder({ id: missOrders.find((known) => known === id) ?? 'url', descending }),
            }}
            selection={selection}
            heightMax={520}
            aside={<StateFilter state={state} onState={setState} />}
            actions={
              <MissActions
                chosen={[...selection.keys].map(chosenOf)}
                onDone={(action) => {
                  selection.clear()
                  // What is being patched is not open: it stays in view, with its page, until it is solved.
                  if (action === 'patch') setState(null)
                  reload()
                }}
              />
            }
            empty={<NoMisses isFiltered={typed !== '' || state !== null || group !== null} onClear={clear} />}
          />
        </div>
      </div>
      <RulesAndPatches jobs={jobs} revision={revision} onChanged={reload} />
    </>
  )
}

function StateFilter({ state, onState }: { state: MissState | null; onState: (state: MissState | null) => void }) {
  const t = useWords()
  return (
    <Select
      aria-label={t('missing.state')}
      placeholder={t('missing.state.all')}
      clearable
      clearButtonProps={{ 'aria-label': t('missing.state.clear') }}
      data={missStates.states.map((value) => ({ value, label: t(missStates.rows[value].badge) }))}
      value={state}
      onChange={(value) => onState(missStates.states.find((known) => known === value) ?? null)}
    />
  )
}

function NoMisses({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const t = useWords()
  if (!isFiltered) return <EmptyState title={t('missing.none')} text={t('missing.none.text')} />
  return (
    <EmptyState title={t('missing.none.filtered')} text={t('missing.none.filtered.text')}>
      <Button variant="default" onClick={onClear}>
        {t('missing.clear')}
      </Button>
    </EmptyState>
  )
}
