/** Saves the matches of a search as CSV or JSON. */
import { Group } from '@mantine/core'
import { csvOf, saveText, type CsvValue } from '../../parts/csv.ts'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { useWords } from '../../words/words.tsx'

interface SaveMatchesProps<Row> {
  /** Name of the file without its ending. */
  name: string
  collect: (onProgress: (saved: number) => void) => Promise<{ rows: Row[]; isWhole: boolean }>
  /** Heads and values of the CSV. */
  columns: readonly (readonly [head: string, value: (row: Row) => CsvValue])[]
}

export function SaveMatches<Row>({ name, collect, columns }: SaveMatchesProps<Row>) {
  const t = useWords()

  async function save(write: (rows: readonly Row[]) => void, setStatus: (text: string) => void): Promise<void> {
    const { rows, isWhole } = await collect((count) => setStatus(t('search.save.reading', { count })))
    write(rows)
    setStatus(t(isWhole ? 'search.save.done' : 'search.save.cut', { count: rows.length }))
  }
  const asCsv = (rows: readonly Row[]) =>
    csvOf(
      columns.map(([head]) => head),
      rows.map((row) => columns.map(([, value]) => value(row))),
    )

  return (
    <Group gap="xs">
      <SaveAction onSave={(setStatus) => save((rows) => saveText(`${name}.csv`, asCsv(rows)), setStatus)} />
      <SaveAction
        text={t('search.save.json')}
        onSave={(setStatus) =>
          save((rows) => saveText(`${name}.json`, JSON.stringify(rows, null, 2), 'application/json'), setStatus)
        }
      />
    </Group>
  )
}
