/** The audit log: its integrity and its entries, the newest first. */
import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { auditActors, auditActions } from '../../../src-main/contract/shapes/choices.ts'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import { actionMessage, actorMessage } from '../../../src-main/contract/services/auditLabels.ts'
import { csvOf, saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { entriesSavedMax, entriesToSave, type AuditQuery } from '../../state/audit.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { entryWords, type Language } from './entryWords.ts'
import { EntryDetails } from './EntryDetails.tsx'
import { entryNumberColumn } from './entryNumber.tsx'
import { Actor, SubjectLink } from './EntryLinks.tsx'
import { VerifyCard } from './VerifyCard.tsx'

export function AuditTab() {
  const [shown, setShown] = useState<AuditEntry | null>(null)
  return (
    <>
      <VerifyCard onShow={setShown} />
      <Entries onShow={setShown} />
      <EntryDetails entry={shown} onClose={() => setShown(null)} />
    </>
  )
}

function Entries({ onShow }: { onShow: (entry: AuditEntry) => void }) {
  const t = useWords()
  const { services, archive } = useSession()
  const { revision } = useStore(archive)
  const [what, setWhat] = useState<AuditQuery['what']>()
  const [who, setWho] = useState<AuditQuery['who']>()
  const [typed, setTyped] = useState('')
  const [subject] = useDebouncedValue(typed.trimStart(), typingPauseMs)
  const query = useMemo(
    () => ({ ...(what && { what }), ...(who && { who }), ...(subject === '' ? {} : { subject }) }),
    [what, who, subject],
  )
  const pages = useMemo(() => makePages((page) => services.archive.auditLog({ ...query, ...page })), [services, query])
  const columns = useEntryColumns(onShow)
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const isNarrowed = Object.keys(query).length > 0
  return (
    <Section title={t('audit.entries')} actions={<SaveEntries query={query} />}>
      <Group gap="sm" mb="xs" align="end">
        <Select
          label={t('audit.filter.what')}
          w={300}
          data={auditActions.map((action) => ({ value: action, label: t(actionMessage(action)) }))}
          placeholder={t('audit.filter.anything')}
          clearable
          clearButtonProps={{ 'aria-label': t('audit.filter.anything') }}
          value={what ?? null}
          onChange={(value) => setWhat(auditActions.find((action) => action === value))}
        />
        <Select
          label={t('audit.filter.who')}
          w={240}
          data={auditActors.map((actor) => ({ value: actor, label: t(actorMessage(actor)) }))}
          placeholder={t('audit.filter.anyone')}
          clearable
          clearButtonProps={{ 'aria-label': t('audit.filter.anyone') }}
          value={who ?? null}
          onChange={(value) => setWho(auditActors.find((actor) => actor === value))}
        />
        <TextInput
          label={t('audit.filter.subject')}
          w={280}
          placeholder={t('audit.filter.subject.hint')}
          leftSection={<Search size={16} aria-hidden />}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Group>
      <PagedTable
        label={t('audit.entries')}
        pages={pages}
        columns={columns}
        heightMax={640}
        empty={
          isNarrowed ? (
            <EmptyState title={t('audit.noneMatches')} text={t('audit.noneMatches.text')} />
          ) : (
            <EmptyState title={t('audit.none')} text={t('audit.none.text')} />
          )
        }
      />
    </Section>
  )
}

function useEntryColumns(onShow: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const t = useWords()
  const formats = useFormats()
  return useMemo((): Column<AuditEntry>[] => {
    const language: Language = { t, formats }
    const partCell = (part: 'what' | 'before' | 'after') => (entry: AuditEntry) => {
      const text = entryWords(language, entry)[part]
      return <span title={text}>{text}</span>
    }
    return [
      entryNumberColumn(language, onShow),
      { id: 'at', head: t('audit.at'), value: ({ at }) => at, cell: ({ at }) => timeUtc(at), width: 172 },
      {
        id: 'who',
        head: t('audit.who'),
        value: ({ who }) => who,
        cell: (entry) => <Actor entry={entry} />,
        width: 130,
        wraps: true,
      },
      { id: 'what', head: t('audit.what'), value: ({ what }) => what, cell: partCell('what'), width: 200, wraps: true },
      {
        id: 'subject',
        head: t('audit.subject'),
        value: ({ subject }) => subject,
        cell: (entry) => <SubjectLink entry={entry} />,
        wraps: true,
      },
      { id: 'before', head: t('audit.before'), value: () => null, cell: partCell('before'), width: 168, wraps: true },
      { id: 'after', head: t('audit.after'), value: () => null, cell: partCell('after'), width: 210, wraps: true },
    ]
  }, [t, formats, onShow])
}

/** Entries that match the filter, as CSV: with texts, and with the recorded values. */
function SaveEntries({ query }: { query: AuditQuery }) {
  const t = useWords()
  const formats = useFormats()
  const { services } = useSession()

  async function save(setStatus: (text: string) => void): Promise<void> {
    let known = 0
    const entries = await entriesToSave(services, query, (saved, total) => {
      known = total
      setStatus(t('audit.saving', { saved, total }))
    })
    saveText('audit-log.csv', entriesCsv({ t, formats }, entries))
    const left = entries.length < entriesSavedMax ? 0 : known - entries.length
    setStatus(left > 0 ? t('audit.left', { left }) : '')
  }

  return <SaveAction onSave={save} />
}

function entriesCsv(language: Language, entries: readonly AuditEntry[]): string {
  return csvOf(
    ['entry', 'at', 'who', 'account', 'host', 'shell', 'what', 'action', 'subject', 'before', 'after', 'was', 'became', 'previous', 'hash'], // prettier-ignore
    entries.map((entry) => {
      const { number, at, who, origin, what, subject, was, became, previous, hash } = entry
      const words = entryWords(language, entry)
      return [
        number,
        at,
        who,
        origin?.account ?? '',
        origin?.host ?? '',
        origin?.shell ?? '',
        what,
        words.what,
        subject,
        words.before,
        words.after,
        JSON.stringify(was),
        JSON.stringify(became),
        previous,
        hash,
      ]
    }),
  )
}
