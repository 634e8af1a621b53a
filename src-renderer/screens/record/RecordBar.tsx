/** The bar above the records of a file: its name, a filter by record type, and a field to jump to an offset. */
import { Button, NumberInput, Select, Title } from '@mantine/core'
import { ArrowDown, ArrowUp, CornerDownRight } from 'lucide-react'
import { useEffect, useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { RecordRow, RecordWhole } from '../../../src-main/contract/services/records.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { IconLink } from '../../parts/IconAction.tsx'
import { useWindowTitle } from '../../parts/windowTitle.ts'
import { isSame, neighbourOf, type RecordsState } from '../../state/records.ts'
import { useWords } from '../../words/words.tsx'
import { goTo, hrefOf } from '../../routes/routes.ts'
import styles from './record.module.css'

/** The types of WARC 1.1, section 6, and the one that only ARC files have. */
const types = [
  'warcinfo',
  'response',
  'resource',
  'request',
  'metadata',
  'revisit',
  'conversion',
  'continuation',
  'filedesc',
]

interface RecordBarProps {
  file: string
  store: StoreApi<RecordsState>
  shown: RecordWhole | undefined
}

export function RecordBar({ file, store, shown }: RecordBarProps) {
  const t = useWords()
  const { type, begin } = useStore(store)
  useWindowTitle(file)
  return (
    <div className={styles.recordBar}>
      <div className={styles.recordName}>
        <a className="dimmed" href={hrefOf({ place: 'file', file })}>
          {t('record.all')}
        </a>
        <span className="with-copy">
          <Title order={1} size="h4" className="page-title" title={file}>
            {file}
          </Title>
          <CopyAction text={file} what={t('record.fileName')} />
        </span>
      </div>
      <Neighbours file={file} store={store} shown={shown} />
      <Select
        size="sm"
        w={170}
        aria-label={t('record.type')}
        placeholder={t('record.type.all')}
        clearable
        clearButtonProps={{ 'aria-label': t('record.type.clear') }}
        data={types}
        value={type}
        onChange={(chosen) => void begin({ number: chosen === null ? (shown?.number ?? 1) : 1, type: chosen })}
      />
      <JumpTo file={file} />
    </div>
  )
}

function Neighbours({ file, store, shown }: RecordBarProps) {
  const t = useWords()
  const { rows, above, below, earlier, later } = useStore(store)
  const before = shown && neighbourOf(rows, shown, -1)
  const after = shown && neighbourOf(rows, shown, 1)
  const hrefTo = ({ offset, number }: RecordRow) => hrefOf({ place: 'record', file, offset, number })

  // At the end of the loaded part the list grows first, so that the button works at the next press.
  const isListed = shown !== undefined && rows.some((row) => isSame(row, shown))
  useEffect(() => {
    if (isListed && !before && above > 0) void earlier()
  }, [isListed, before, above, earlier])
  useEffect(() => {
    if (isListed && !after && below !== null) void later()
  }, [isListed, after, below, later])

  return (
    <div className={styles.recordSteps}>
      <IconLink
        name={t('record.previous')}
        icon={ArrowUp}
        why={t('record.previous.why')}
        href={before && hrefTo(before)}
      />
      <IconLink name={t('record.next')} icon={ArrowDown} why={t('record.next.why')} href={after && hrefTo(after)} />
    </div>
  )
}

function JumpTo({ file }: { file: string }) {
  const t = useWords()
  const [typed, setTyped] = useState<number | string>('')
  function jump(event: SubmitEvent): void {
    event.preventDefault()
    if (typeof typed === 'number') goTo({ place: 'record', file, offset: typed, number: null })
  }
  return (
    <form className={styles.recordJump} onSubmit={jump} aria-label={t('record.jump')}>
      <NumberInput
        aria-label={t('record.offset')}
        placeholder={t('record.offset')}
        size="sm"
        w={130}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit" size="sm" variant="default" leftSection={<CornerDownRight size={16} aria-hidden />}>
        {t('record.jump.verb')}
      </Button>
    </form>
  )
}
