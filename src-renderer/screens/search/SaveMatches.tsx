/** Saves the matches of a search as CSV or JSON, and exports their captures. */
import { Group } from '@mantine/core'
import { FileOutput } from 'lucide-react'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { csvOf, saveText, type CsvValue } from '../../parts/csv.ts'
import { SaveAction } from '../../parts/SaveAction.tsx'
import type { DialogsState } from '../../state/dialogs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

interface SaveMatchesProps<Row> {
  /** Name of the file without its ending. */
  name: string
  collect: (onProgress: (saved: number) => void) => Promise<{ rows: Row[]; isWhole: boolean }>
  /** The search, and the jobs that it is about; none: everything. */
  matching: Parameters<DialogsState['showMatchesExport']>[0]
  jobs: readonly number[]
  /** Heads and values of the CSV. */
  columns: readonly (readonly [head: string, value: (row: Row) => CsvValue])[]
}

export function SaveMatches<Row>({ name, collect, matching, jobs, columns }: SaveMatchesProps<Row>) {
  const t = useWords()
  const { dialogs } = useSession()

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
      <ActionButton
        needs="exports.start"
        size="xs"
        variant="default"
        leftSection={<FileOutput size={14} aria-hidden />}
        onClick={() => dialogs.getState().showMatchesExport(matching, jobs.length > 0 ? { jobs } : { all: true })}
      >
        {t('search.export')}
      </ActionButton>
    </Group>
  )
}
