/** Search: one field, for the text of documents or for URLs. The query is in the URL, so back, forward and bookmarks lead to it. */
import { useState } from 'react'
import { searchModes } from '../../../src-main/contract/services/search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { goTo, hrefOf } from '../../routes/routes.ts'
import { useWords } from '../../words/words.tsx'
import { IndexButton } from './IndexDialog.tsx'
import { QueryField } from './QueryField.tsx'
import { placeOf, routeOfPlace, type SearchPlace } from './searchPlace.ts'
import { SavedButton } from './SavedDialog.tsx'
import { TextSearch } from './TextSearch.tsx'
import { UrlFilters } from './UrlFilters.tsx'
import { UrlSearch } from './UrlSearch.tsx'

export function SearchScreen({ filter }: { filter: string | undefined }) {
  const t = useWords()
  const place = placeOf(filter)
  const { mode, query } = place
  /** Counts how often the same query is asked again. */
  const [round, setRound] = useState(0)
  const again = () => setRound(round + 1)

  function search(changes: Partial<SearchPlace>): void {
    const route = routeOfPlace({ ...place, ...changes })
    if (hrefOf(route) === hrefOf(routeOfPlace(place))) again()
    else goTo(route)
  }

  return (
    <>
      <PageHead
        title={t('search.title')}
        actions={
          <>
            <SavedButton place={place} />
            {mode === 'text' && <IndexButton text={t('search.index.open')} onClosed={again} />}
          </>
        }
      />
      <nav className="tabs" aria-label={t('search.modes')}>
        {searchModes.map((one) => (
          <a
            key={one}
            href={hrefOf(routeOfPlace({ ...place, mode: one, query: '' }))}
            aria-current={one === mode ? 'page' : undefined}
          >
            {t(`search.mode.${one}`)}
          </a>
        ))}
      </nav>
      <QueryField key={`${mode} ${query}`} mode={mode} query={query} onSearch={(asked) => search({ query: asked })} />
      {mode === 'urls' && <UrlFilters place={place} onChange={search} />}
      {mode === 'text' ? (
        <TextSearch query={query} round={round} onQuery={(asked) => search({ query: asked })} onIndexClosed={again} />
      ) : (
        <UrlSearch place={place} round={round} />
      )}
    </>
  )
}
