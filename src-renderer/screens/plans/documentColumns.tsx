/** Columns of the list of documents. */
import { Anchor } from '@mantine/core'
import { FileSearch } from 'lucide-react'
import { useMemo } from 'react'
import type { DeliveredDocument } from '../../../src-main/contract/services/deliveries.ts'
import { timeUtc } from '../../parts/formats.ts'
import { IconLink } from '../../parts/IconAction.tsx'
import { LongAddress } from '../../parts/LongAddress.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'
import { documentPlace } from './documentPlace.ts'
import styles from './plans.module.css'

export function useDocumentColumns(
  scannerKind: string | undefined,
  onHistory: (document: string) => void,
): Column<DeliveredDocument>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        ...{ id: 'document', head: t('plan.document'), widthMin: 260 },
        value: ({ document }) => document,
        cell: ({ document }) => (
          <Anchor
            component="button"
            type="button"
            size="sm"
            className={styles.document}
            onClick={() => onHistory(document)}
          >
            <LongAddress address={document} />
          </Anchor>
        ),
      },
      {
        ...{ id: 'open', head: '', width: 60 },
        value: () => null,
        cell: ({ document }) => {
          const place = documentPlace(scannerKind, document)
          return (
            <IconLink
              name={t('plan.document.open', { document })}
              icon={FileSearch}
              href={place === null ? undefined : hrefOf(place)}
              why={t('plan.document.open.why')}
            />
          )
        },
      },
      {
        ...{ id: 'changed', head: t('plan.document.changed'), width: 180 },
        value: ({ changed }) => changed,
        cell: ({ changed }) => timeUtc(changed),
      },
      {
        ...{ id: 'message', head: t('plan.document.problem'), wraps: true, widthMin: 220 },
        value: ({ message }) => (message ? t(message) : ''),
      },
    ],
    [t, scannerKind, onHistory],
  )
}
