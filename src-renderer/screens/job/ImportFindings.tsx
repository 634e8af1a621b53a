/** Findings of an import by rule: count, meaning, advice and occurrences. The engine keeps only the first occurrences of each rule, but
 *  counts all. */
import { Group, SegmentedControl, Select } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { FileFinding } from '../../../src-main/contract/services/fileFindings.ts'
import type { ImportedFile } from '../../../src-main/contract/services/harvests.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { Await } from '../../parts/Await.tsx'
import { csvOf, saveText } from '../../parts/csv.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { Section } from '../../parts/Section.tsx'
import type { ImportedStore } from '../../state/imported.ts'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import type { Translate } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { RuleFindings } from './RuleFindings.tsx'
import { severities, type Severity } from '../findings/severity.tsx'
import styles from './job.module.css'

type ByRule = Awaited<ReturnType<Loupe['harvests']['importFindings']>>['byRule']

interface ImportFindingsProps {
  job: number
  store: ImportedStore
  files: readonly ImportedFile[]
  running: boolean
  /** The file whose findings are shown; null: of all. */
  file: string | null
  onFile: (file: string | null) => void
}

export function ImportFindings({ job, store, files, running, file, onFile }: ImportFindingsProps) {
  const t = useWords()
  const { services } = useSession()
  const { revision } = useStore(store)
  const [severity, setSeverity] = useState<Severity | null>(null)
  const [byRule, setByRule] = useState<Loaded<ByRule>>(loading)
  useEffect(() => {
    let isWanted = true
    void loadedFrom(
      services.harvests.importFindings({ job, limit: 1, ...(file === null ? {} : { file }) }).then((all) => all.byRule),
    ).then((rules) => {
      if (isWanted) setByRule(rules)
    })
    return () => {
      isWanted = false
    }
  }, [services, job, file, revision])
  const named = files.filter(({ findings }) => findings.errors + findings.warnings + findings.notes > 0)
  return (
    <Section title={t('imported.findings')} actions={<SaveFindings job={job} file={file} severity={severity} />}>
      <Await of={byRule} onRetry={() => void store.getState().load()}>
        {(rules) =>
          rules.length === 0 && file === null ? (
            <NothingWrong running={running} files={files} />
          ) : (
            <>
              <Group gap="xs" mb="sm">
                <SeverityChoice rules={rules} chosen={severity} onChoose={setSeverity} />
                {(named.length > 1 || file !== null) && (
                  <Select
                    aria-label={t('imported.file')}
                    placeholder={t('imported.file.all')}
                    w={340}
                    clearable
                    searchable
                    clearButtonProps={{ 'aria-label': t('imported.file.clear') }}
                    data={named.map((one) => one.name ?? one.from)}
                    value={file}
                    onChange={onFile}
                  />
                )}
              </Group>
              <Rules job={job} file={file} rules={rules} severity={severity} revision={revision} files={files} />
            </>
          )
        }
      </Await>
    </Section>
  )
}

interface RulesProps {
  job: number
  file: string | null
  rules: ByRule
  severity: Severity | null
  revision: number
  files: readonly ImportedFile[]
}

/** Worst first, and of those the most frequent. */
function Rules({ job, file, rules, severity, revision, files }: RulesProps) {
  const t = useWords()
  const shown = rules
    .filter((rule) => severity === null || rule.severity === severity)
    .toSorted(
      (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity) || other.count - one.count,
    )
  const inArchive = useMemo(
    () => new Set(files.flatMap(({ name, state }) => (state === 'IMPORTED' && name ? [name] : []))),
    [files],
  )
  if (shown.length === 0) return <EmptyState title={t('imported.noneMatches')} text={t('imported.noneMatches.text')} />
  return (
    <ul className={styles.rules} aria-label={t('imported.findings')}>
      {shown.map((rule) => (
        <li key={`${file} ${rule.rule}`}>
          <RuleFindings job={job} file={file} {...rule} revision={revision} inArchive={inArchive} />
        </li>
      ))}
    </ul>
  )
}

function NothingWrong({ running, files }: { running: boolean; files: readonly ImportedFile[] }) {
  const t = useWords()
  if (running) return <EmptyState title={t('imported.nothingYet')} text={t('imported.nothingYet.text')} />
  return files.some(({ state }) => state === 'IMPORTED') ? (
    <EmptyState title={t('imported.nothing')} text={t('imported.nothing.text')} />
  ) : (
    <EmptyState title={t('imported.nothingTaken')} text={t('imported.nothingTaken.text')} />
  )
}

interface SeverityChoiceProps {
  rules: ByRule
  chosen: Severity | null
  onChoose: (severity: Severity | null) => void
}

function SeverityChoice({ rules, chosen, onChoose }: SeverityChoiceProps) {
  const t = useWords()
  const { count } = useFormats()
  const total = (of: Severity) =>
    rules.reduce((sum, { severity, count: found }) => (severity === of ? sum + found : sum), 0)
  return (
    <SegmentedControl
      aria-label={t('imported.severity')}
      data={[
        { value: 'all', label: t('imported.severity.all') },
        ...severities.map((severity) => ({
          value: severity,
          label: t(`imported.severity.${severity}`, { count: count(total(severity)) }),
        })),
      ]}
      value={chosen ?? 'all'}
      onChange={(value) => onChoose(severities.find((severity) => severity === value) ?? null)}
    />
  )
}

/** The most that one answer may hold. */
const rowsAtOnce = 1000

function SaveFindings({ job, file, severity }: { job: number; file: string | null; severity: Severity | null }) {
  const t = useWords()
  const { services } = useSession()

  async function save(): Promise<void> {
    const rows: FileFinding[] = []
    for (let total = 1; rows.length < total;) {
      const page = await services.harvests.importFindings({
        job,
        offset: rows.length,
        limit: rowsAtOnce,
        ...(file === null ? {} : { file }),
        ...(severity === null ? {} : { severity }),
      })
      total = page.rows.length === 0 ? rows.length : page.total
      rows.push(...page.rows)
    }
    saveText(`import-${job}-findings.csv`, findingsCsv(rows, t))
  }

  return <SaveAction onSave={save} />
}

function findingsCsv(rows: readonly FileFinding[], t: Translate): string {
  return csvOf(
    ['file', 'record', 'offset', 'severity', 'rule', 'clause', 'text', 'means'],
    rows.map(({ file, record, offset, severity, rule, clause, message, means }) => [
      file,
      record,
      offset,
      severity,
      rule,
      clause,
      t(message),
      t(means),
    ]),
  )
}
