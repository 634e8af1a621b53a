/** Columns of an audited page. */
import { useMemo } from 'react'
import type { AuditedPage } from '../../../src-main/contract/services/pageAudits.ts'
import { auditedPageStates } from '../../../src-main/contract/states/auditedPageStates.ts'
import { useFormats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { AuditImage } from './AuditImage.tsx'
import styles from './pageAudits.module.css'

/** `onChoose` gets the number of the page whose details are wanted. `isCompared`: pages are compared with another capture. */
export function useAuditedPageColumns(onChoose: (page: number) => void, isCompared: boolean): Column<AuditedPage>[] {
  const t = useWords()
  const { percent } = useFormats()
  return useMemo(() => {
    const part = (value: number | null) => (value === null ? '' : percent(value))
    const compared: Column<AuditedPage>[] = [
      {
        id: 'pixelDifference',
        head: t('pageAudits.pixelDifference'),
        value: ({ pixelDifference }) => part(pixelDifference),
        numeric: true,
        width: 125,
      },
      {
        id: 'textDifference',
        head: t('pageAudits.textDifference'),
        value: ({ textDifference }) => part(textDifference),
        numeric: true,
        width: 130,
      },
    ]
    return [
      {
        id: 'thumbnail',
        head: t('pageAudits.thumbnail'),
        value: () => '',
        cell: ({ id, state, url }) =>
          state === 'DONE' ? <AuditImage page={id} of="thumbnail" alt={url} className={styles.thumbnail} /> : null,
        width: 120,
      },
      { id: 'risk', head: t('pageAudits.risk'), value: ({ risk }) => risk, numeric: true, width: 80 },
      {
        id: 'url',
        head: t('pageAudits.page'),
        value: ({ url }) => url,
        cell: (page) => <PageName page={page} onChoose={onChoose} />,
        wraps: true,
        widthMin: 280,
      },
      {
        id: 'state',
        head: t('pageAudits.state'),
        value: ({ state }) => t(auditedPageStates.rows[state].badge),
        cell: ({ state, failure }) =>
          failure === null ? (
            <StateBadge table={auditedPageStates} state={state} />
          ) : (
            <ToneBadge tone="failed" text={t(`pageAudits.failure.${failure}`)} />
          ),
        width: 170,
      },
      {
        id: 'verdict',
        head: t('verdicts.title'),
        value: ({ verdict }) => (verdict === null ? t('verdicts.none') : t(`verdicts.value.${verdict}`)),
        cell: ({ verdict, note }) => <Verdict verdict={verdict} note={note} />,
        width: 130,
      },
      { id: 'missing', head: t('pageAudits.missing'), value: ({ missing }) => missing, numeric: true, width: 100 },
      { id: 'bad', head: t('pageAudits.bad'), value: ({ bad }) => bad, numeric: true, width: 80 },
      { id: 'good', head: t('pageAudits.good'), value: ({ good }) => good, numeric: true, width: 80 },
      {
        id: 'consoleErrors',
        head: t('pageAudits.consoleErrors'),
        value: ({ consoleErrors }) => consoleErrors,
        numeric: true,
        width: 140,
      },
      ...(isCompared ? compared : []),
    ]
  }, [t, percent, onChoose, isCompared])
}

function Verdict({ verdict, note }: Pick<AuditedPage, 'verdict' | 'note'>) {
  const t = useWords()
  if (verdict === null) return <span className="dimmed">{t('verdicts.none')}</span>
  return <span title={note}>{t(`verdicts.value.${verdict}`)}</span>
}

function PageName({ page: { id, url, title }, onChoose }: { page: AuditedPage; onChoose: (page: number) => void }) {
  return (
    <>
      {title !== '' && <div>{title}</div>}
      <button type="button" className={styles.url} onClick={() => onChoose(id)}>
        {url}
      </button>
    </>
  )
}
