/** The name of an archived file as a link to its page, with a second link to its records. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { ScrollText } from 'lucide-react'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './record.module.css'

/** `title`: the tooltip of the name. */
export function FileLink({ name, title = name }: { name: string; title?: string }) {
  const t = useWords()
  const records = t('file.records.of', { name })
  return (
    <span className={styles.fileLink}>
      <a href={hrefOf({ place: 'file', file: name })} title={title}>
        {name}
      </a>
      <Tooltip label={records}>
        <ActionIcon
          component="a"
          href={hrefOf({ place: 'record', file: name, offset: null, number: null })}
          aria-label={records}
          size="sm"
          variant="subtle"
          color="gray"
        >
          <ScrollText size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </span>
  )
}
