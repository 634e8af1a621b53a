/** The audit trail: whether it is whole, and every deed on ground truth, the newest first. */
import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Download, ListTree, Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { auditActors, auditDeeds } from '../../../src-main/contract/choices.ts'
import type { AuditEntry } from '../../../src-main/contract/contract.ts'
import type { Fault } from '../../../src-main/contract/faults.ts'
import { csvOf, saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PagedTable } from '../../parts/PagedTable.tsx'
import { Section } from '../../parts/Section.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { entriesSavedMax, entriesToSave, type AuditQuery } from '../../state/audit.ts'
import { faultFrom } from '../../state/loaded.ts'
import { makePages } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { deedWords, type Language } from './deedWords.ts'
import { EntryDetails } from './EntryDetails.tsx'
import { ActorLink, SubjectLink } from './EntryLinks.tsx'
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
  const say = useWords()
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
  const pages = useMemo(
    () => makePages((page) => services.archive.auditTrail({ ...query, ...page })),
    [services, query],
  )
  const columns = useEntryColumns(onShow)
  useEffect(() => pages.getState().refresh(), [pages, revision])
  const isNarrowed = Object.keys(query).length > 0
  return (
    <Section title={say('audit.entries')} actions={<SaveEntries query={query} />}>
      <Group gap="sm" mb="xs" align="end">
        <Select
          label={say('audit.filter.what')}
          w={300}
          data={auditDeeds.map((deed) => ({ value: deed, label: say(`audit.what.${deed}`) }))}
          placeholder={say('audit.filter.anything')}
          clearable
          clearButtonProps={{ 'aria-label': say('audit.filter.anything') }}
          value={what ?? null}
          onChange={(value) => setWhat(auditDeeds.find((deed) => deed === value))}
        />
        <Select
          label={say('audit.filter.who')}
          w={240}
          data={auditActors.map((actor) => ({ value: actor, label: say(`audit.who.${actor}`) }))}
          placeholder={say('audit.filter.anyone')}
          clearable
          clearButtonProps={{ 'aria-label': say('audit.filter.anyone') }}
          value={who ?? null}
          onChange={(value) => setWho(auditActors.find((actor) => actor === value))}
        />
        <TextInput
          label={say('audit.filter.subject')}
          w={280}
          placeholder={say('audit.filter.subject.hint')}
          leftSection={<Search size={16} aria-hidden />}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Group>
      <PagedTable
        label={say('audit.entries')}
        pages={pages}
        columns={columns}
        heightMax={640}
        empty={
          isNarrowed ? (
            <EmptyState title={say('audit.noneMatches')} text={say('audit.noneMatches.text')} />
          ) : (
            <EmptyState title={say('audit.none')} text={say('audit.none.text')} />
          )
        }
      />
    </Section>
  )
}

function useEntryColumns(onShow: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const say = useWords()
  const formats = useFormats()
  return useMemo(() => {
    const language: Language = { say, formats }
    const told = (part: 'what' | 'before' | 'after') => (entry: AuditEntry) => {
      const text = deedWords(language, entry)[part]
      return <span title={text}>{text}</span>
    }
    return [
      {
        id: 'number',
        head: say('audit.number'),
        value: ({ number }) => number,
        cell: (entry) => (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<ListTree size={14} aria-hidden />}
            aria-label={say('audit.details.of', { number: entry.number })}
            onClick={() => onShow(entry)}
          >
            {formats.count(entry.number)}
          </Button>
        ),
        width: 88,
        stays: true,
      },
      { id: 'at', head: say('audit.at'), value: ({ at }) => at, cell: ({ at }) => timeUtc(at), width: 172 },
      {
        id: 'who',
        head: say('audit.who'),
        value: ({ who }) => who,
        cell: (entry) => <ActorLink entry={entry} />,
        width: 96,
      },
      { id: 'what', head: say('audit.what'), value: ({ what }) => what, cell: told('what'), width: 200, wraps: true },
      {
        id: 'subject',
        head: say('audit.subject'),
        value: ({ subject }) => subject,
        cell: (entry) => <SubjectLink entry={entry} />,
        wraps: true,
      },
      { id: 'before', head: say('audit.before'), value: () => null, cell: told('before'), width: 180, wraps: true },
      { id: 'after', head: say('audit.after'), value: () => null, cell: told('after'), width: 210, wraps: true },
    ]
  }, [say, formats, onShow])
}

/** What matches the filter, as a table for a spreadsheet: with the words, and with what was written down as it is. */
function SaveEntries({ query }: { query: AuditQuery }) {
  const say = useWords()
  const formats = useFormats()
  const { services } = useSession()
  const [saving, setSaving] = useState<{ saved: number; total: number } | null>(null)
  const [left, setLeft] = useState(0)
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function save(): Promise<void> {
    setSaving({ saved: 0, total: 0 })
    setRefusal(null)
    try {
      let known = 0
      const entries = await entriesToSave(services, query, (saved, total) => {
        known = total
        setSaving({ saved, total })
      })
      setLeft(entries.length < entriesSavedMax ? 0 : known - entries.length)
      saveText('audit-trail.csv', entriesCsv({ say, formats }, entries))
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setSaving(null)
    }
  }

  return (
    <Group gap="sm">
      {refusal && <FaultNote fault={refusal} />}
      <Text size="sm" c="dimmed" role="status">
        {saving ? say('audit.saving', saving) : left > 0 ? say('audit.left', { left }) : ''}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={saving !== null}
        leftSection={<Download size={14} aria-hidden />}
        onClick={() => void save()}
      >
        {say('table.export')}
      </Button>
    </Group>
  )
}

function entriesCsv(language: Language, entries: readonly AuditEntry[]): string {
  return csvOf(
    ['entry', 'at', 'who', 'what', 'deed', 'subject', 'before', 'after', 'was', 'became', 'previous', 'hash'],
    entries.map((entry) => {
      const { number, at, who, what, subject, was, became, previous, hash } = entry
      const words = deedWords(language, entry)
      return [
        number,
        at,
        who,
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
