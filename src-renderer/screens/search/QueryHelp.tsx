/** What a query can be, before the first one. */
import { Code, Text } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import styles from './search.module.css'

const examples = [
  ['museum fossils', 'search.help.words'],
  ['"natural history"', 'search.help.phrase'],
  ['dino*', 'search.help.beginning'],
  ['museum OR gallery', 'search.help.or'],
  ['museum -hotel', 'search.help.not'],
  ['host:example.org', 'search.help.host'],
  ['type:pdf after:2024-05', 'search.help.fields'],
] as const

export function QueryHelp() {
  const t = useWords()
  return (
    <section className={styles.help} aria-label={t('search.help')}>
      <Text c="dimmed" mb="sm">
        {t('search.help')}
      </Text>
      <dl>
        {examples.map(([query, meaning]) => (
          <div key={query}>
            <dt>
              <Code>{query}</Code>
            </dt>
            <dd>{t(meaning)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
