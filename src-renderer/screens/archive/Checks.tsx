/** The checks: those that can be resumed, and the chosen one with its progress and findings. */
import { Alert, Group, Select, Text } from '@mantine/core'
import { Play } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { CheckSummary, PreservationFinding } from '../../../src-main/contract/services/checks.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { shownCheck } from '../../state/archiveState.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { CheckProgress } from './CheckProgress.tsx'
import { findingColumn, foundColumn, jobColumn, replicaColumn } from '../copies/columns.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { checkName, unfinished, valueWords } from '../copies/checkWords.ts'

export function Checks() {
  const t = useWords()
  const { archive: store } = useSession()
  const state = useStore(store)
  const shown = shownCheck(state)
  return (
    <Await of={state.checks} onRetry={() => void state.load()}>
      {(checks) => (
        <Section
          title={t('checks.title')}
          actions={
            checks.length > 1 && (
              <Select
                aria-label={t('checks.choose')}
                w={480}
                maw="100%"
                allowDeselect={false}
                data={checks.map((check) => ({
                  value: String(check.task),
                  label: `${checkName(t, check)} · ${timeUtc(check.started)}`,
                }))}
                value={shown ? String(shown.task) : null}
                onChange={(check) => void state.choose(Number(check))}
              />
            )
          }
        >
          <GoOn checks={checks} />
          {shown ? (
            <Check check={shown} />
          ) : state.chosen !== null && checks.length > 0 ? (
            <p role="status">{t('checks.old', { check: state.chosen })}</p>
          ) : (
            <EmptyState title={t('checks.none')} text={t('checks.none.text')} />
          )}
        </Section>
      )}
    </Await>
  )
}

/** Checks that were stopped, paused or interrupted and can be resumed. */
function GoOn({ checks }: { checks: readonly CheckSummary[] }) {
  const t = useWords()
  const { count } = useFormats()
  const { archive: store } = useSession()
  const waiting = unfinished(checks)
  return waiting.map((check) => (
    <Alert key={check.task} color="yellow" mb="sm" icon={<Play aria-hidden />}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          {t('checks.goOn', {
            check: check.task,
            kind: t(`checks.kind.${check.kind}`),
            isPaused: String(check.ended === null),
            at: timeUtc(check.ended ?? check.started),
            done: count(check.filesDone),
            total: count(check.filesTotal),
            findings: check.findings,
          })}
        </Text>
        <ActionButton
          needs="tasks.resume"
          size="xs"
          variant="default"
          aria-label={t('checks.goOn.of', { check: check.task })}
          onClick={() => void store.getState().resume(check.task)}
        >
          {t('checks.goOn.verb')}
        </ActionButton>
      </Group>
    </Alert>
  ))
}

function Check({ check }: { check: CheckSummary }) {
  const { archive: store } = useSession()
  const { findings, load } = useStore(store)
  return (
    <>
      <CheckProgress check={check} />
      {check.findings > 0 && (
        <Await of={findings} onRetry={() => void load()}>
          {(rows) => (
            <>
              <Findings rows={rows} />
              <ListCut of="findings" count={rows.length} />
            </>
          )}
        </Await>
      )}
    </>
  )
}

function Findings({ rows }: { rows: PreservationFinding[] }) {
  const t = useWords()
  const columns = useMemo<Column<PreservationFinding>[]>(
    () => [
      findingColumn(t),
      foundColumn(t),
      replicaColumn(t),
      {
        id: 'expected',
        head: t('finding.expected'),
        value: ({ expected }) => expected && t(expected),
        cell: ({ expected }) => <Value text={valueWords(t, expected)} />,
      },
      {
        id: 'found',
        head: t('finding.found'),
        value: ({ found }) => found && t(found),
        cell: ({ found }) => <Value text={valueWords(t, found)} />,
      },
      jobColumn(t),
    ],
    [t],
  )
  return (
    <Table
      label={t('findings.title')}
      rows={rows}
      columns={columns}
      rowKey={({ replica, name, finding }) => `${replica}/${name}/${finding}`}
      empty={<EmptyState title={t('findings.none')} text={t('findings.none.text')} />}
    />
  )
}

function Value({ text }: { text: string }) {
  return (
    <span className="mono" title={text}>
      {text}
    </span>
  )
}
