/** The records of one file: the list on the left, the chosen record on the right. The chosen record is in the address, so that a finding, a
 *  response in the viewer and a bookmark all link to it. */
import { useEffect, useMemo, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useStore } from 'zustand'
import type { RecordWhole } from '../../../src-main/contract/services/records.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { loadedFrom, loading, valueOf, type Loaded } from '../../state/loaded.ts'
import { isSame, makeRecords } from '../../state/records.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { goTo, type Route } from '../../routes/routes.ts'
import { RecordBar } from './RecordBar.tsx'
import { RecordList } from './RecordList.tsx'
import { RecordView } from './RecordView.tsx'
import styles from './record.module.css'

type Place = Omit<Extract<Route, { place: 'record' }>, 'place'>

/** Mounted again for each file (by its key), so that its list lives as long as the screen. */
export function RecordScreen({ file, offset, number }: Place) {
  const t = useWords()
  const { services } = useSession()
  const store = useMemo(() => makeRecords(services, file), [services, file])
  const { rows, below, type, fault, begin, later, find } = useStore(store)
  const { record, retry } = useRecord({ file, offset, number })
  const shown = valueOf(record)

  // The list begins at the record of the address, or with the file. Choosing another record of the list does not move it.
  useEffect(() => {
    const { rows: known, type: chosen } = store.getState()
    if (offset === null) {
      if (known.length === 0) void begin({ number: 1, type: chosen })
    } else if (shown?.offset === offset && !known.some((row) => isSame(row, shown))) {
      if (shown.number === null) void find(shown.offset)
      else void begin({ number: shown.number, type: chosen })
    }
  }, [store, begin, find, offset, shown])

  const first = rows[0]
  useEffect(() => {
    // Replaces the address without an offset: going back to it would lead here again.
    if (offset === null && first) goTo({ place: 'record', file, offset: first.offset, number: first.number }, 'replace')
  }, [file, offset, first])

  return (
    <div className={styles.recordScreen}>
      <RecordBar file={file} store={store} shown={shown} />
      <Group className="viewer-body" id="record">
        <Panel id="records" defaultSize="34%" minSize={260}>
          <section className={`panel ${styles.recordPanel}`} aria-label={t('record.list')}>
            {fault && <FaultNote fault={fault} onRetry={() => void later()} />}
            {rows.length === 0 && below === null && !fault ? (
              <EmptyState
                title={t('record.none')}
                text={type === null ? t('record.none.text') : t('record.none.type', { type })}
              />
            ) : (
              <RecordList file={file} store={store} shown={shown ?? null} />
            )}
          </section>
        </Panel>
        <Separator className="splitter" aria-label={t('record.splitter')} />
        <Panel id="whole" minSize="35%">
          <div className={styles.recordWhole} tabIndex={-1}>
            {offset !== null && (
              <Await of={record} onRetry={retry}>
                {(whole) => <RecordView key={`${whole.offset} ${whole.number}`} record={whole} />}
              </Await>
            )}
          </div>
        </Panel>
      </Group>
    </div>
  )
}

/** The record of the address; loaded again when the address changes. */
function useRecord({ file, offset, number }: Place): { record: Loaded<RecordWhole>; retry: () => void } {
  const { services } = useSession()
  const [record, setRecord] = useState<Loaded<RecordWhole>>(loading)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isWanted = true
    setRecord(loading)
    if (offset === null) return
    void loadedFrom(services.records.show({ file, offset, ...(number === null ? {} : { number }) })).then((found) => {
      if (isWanted) setRecord(found)
    })
    return () => {
      isWanted = false
    }
  }, [services, file, offset, number, attempt])
  return { record, retry: () => setAttempt((before) => before + 1) }
}
