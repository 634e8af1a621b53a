/** How many results have each host, type, year, language, job and status. A click adds the value to the query, or removes it. */
import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { SearchFound } from '../../../src-main/contract/services/search.ts'
import { useFormats } from '../../parts/formats.ts'
import { hasValue, type Facet } from '../../state/queryFields.ts'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

/** Values of a facet that are shown before the rest is asked for. */
const valuesShown = 6

const facetOrder: readonly Facet[] = ['host', 'type', 'year', 'language', 'job', 'status']

interface FacetsProps {
  facets: SearchFound['facets']
  query: string
  onToggle: (facet: Facet, value: string) => void
}

export function Facets({ facets, query, onToggle }: FacetsProps) {
  const t = useWords()
  const isNarrow = useMediaQuery('(max-width: 900px)') ?? false
  if (!facets) return null
  const lists = facetOrder
    .filter((facet) => facets[facet].length > 0)
    .map((facet) => (
      <FacetValues
        key={facet}
        facet={facet}
        counts={facets[facet]}
        isChosen={(value) => hasValue(query, facet, value)}
        onToggle={(value) => onToggle(facet, value)}
      />
    ))
  return (
    <aside aria-label={t('search.facets')} className={styles.facets}>
      {isNarrow ? (
        <details>
          <summary>{t('search.facets')}</summary>
          {lists}
        </details>
      ) : (
        lists
      )}
    </aside>
  )
}

interface FacetValuesProps {
  facet: Facet
  counts: readonly { value: string; count: number }[]
  isChosen: (value: string) => boolean
  onToggle: (value: string) => void
}

function FacetValues({ facet, counts, isChosen, onToggle }: FacetValuesProps) {
  const t = useWords()
  const { count: formatted } = useFormats()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? counts : counts.slice(0, valuesShown)
  const name = t(`search.facet.${facet}`)
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {shown.map(({ value, count }) => (
          <li key={value}>
            <UnstyledButton
              className={styles.facetValue}
              aria-pressed={isChosen(value)}
              title={value}
              onClick={() => onToggle(value)}
            >
              <bdi>{facet === 'job' ? t('search.job', { job: Number(value) }) : value}</bdi>
              <span className="dimmed tabular">{formatted(count)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {counts.length > shown.length && (
        <UnstyledButton className={styles.facetMore} onClick={() => setWhole(true)}>
          {t('search.facet.more', { count: counts.length - shown.length })}
        </UnstyledButton>
      )}
    </section>
  )
}
