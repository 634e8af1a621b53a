/** The list of records. Only visible records are in the document; more are loaded when the user scrolls to either end. */
import { Button } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { RecordRow } from '../../../src-main/contract/services/records.ts'
import { useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { isSame, type RecordsState } from '../../state/records.ts'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './record.module.css'

interface RecordListProps {
  file: string
  store: StoreApi<RecordsState>
  shown: { offset: number; number: number | null } | null
}

const rowHeightPx = 72

export function RecordList({ file, store, shown }: RecordListProps) {
  const t = useWords()
  const { rows, above, below, asking, earlier, later } = useStore(store)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    getItemKey: (index) => rows[index]?.number ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) void later()
  }, [last, rows.length, later])
  const at = shown === null ? -1 : rows.findIndex((row) => isSame(row, shown))
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at, { align: 'auto' })
  }, [at, virtualizer])
  return (
    <>
      {above > 0 && (
        <Button
          size="xs"
          variant="default"
          m="xs"
          loading={asking}
          leftSection={<ChevronUp size={14} aria-hidden />}
          onClick={() => void earlier()}
        >
          {t('record.earlier')}
        </Button>
      )}
      <div className="list-scroll" ref={scroller} tabIndex={0} role="group" aria-label={t('record.list')}>
        <ol className="resources" style={{ height: virtualizer.getTotalSize() }} aria-label={t('record.list')}>
          {items.map(({ index, key, start }) => {
            const row = rows[index]
            return (
              <li
                key={key}
                className={styles.recordItem}
                style={{ height: rowHeightPx, transform: `translateY(${start}px)` }}
                aria-posinset={row?.number}
                aria-setsize={-1}
              >
                {row && <Row file={file} row={row} isShown={index === at} />}
              </li>
            )
          })}
        </ol>
      </div>
      <p className={`dimmed ${styles.recordEnd}`} role="status">
        {asking
          ? t('loading')
          : shown !== null && at === -1
            ? t('record.notListed')
            : below === null
              ? t('record.end', { count: rows.length })
              : ''}
      </p>
    </>
  )
}

function Row({ file, row, isShown }: { file: string; row: RecordRow; isShown: boolean }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const { number, offset, length, type, status, mediaType, url, findings } = row
  return (
    <a
      className={styles.recordRow}
      href={hrefOf({ place: 'record', file, offset, number })}
      aria-current={isShown ? 'true' : undefined}
    >
      <span className={styles.recordRowHead}>
        <strong>{type === '' ? t('record.noType') : type}</strong>
        {status !== null && <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />}
        {mediaType !== null && <span className={styles.recordMedia}>{mediaType}</span>}
        {findings > 0 && <ToneBadge tone="failed" text={t('record.findings', { count: findings })} />}
      </span>
      <span className={styles.recordUrl} title={url ?? undefined}>
        {url ?? t('record.noUrl')}
      </span>
      <span className={`${styles.recordPlace} tabular`}>
        {t('record.row', { number: count(number), offset: count(offset), size: bytes(length) })}
      </span>
    </a>
  )
}
