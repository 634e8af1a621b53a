/** The checks: the one that runs, the ones that ran, and what the chosen one found. */
import { Select, Text } from '@mantine/core'
import { Play, Square } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { CheckSummary, PreservationFinding } from '../../../src-main/contract/contract.ts'
import { checkStates } from '../../../src-main/contract/states.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { shownCheck, workDone } from '../../state/archive.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'
import { canGoOn, expectedWords, isRunning } from './checkWords.ts'

export function Checks() {
  const say = useWords()
  const { archive: store } = useSession()
  const state = useStore(store)
  const shown = shownCheck(state)
  return (
    <Await of={state.checks} onRetry={() => void state.load()}>
      {(checks) => (
        <Section
          title={say('checks.title')}
          actions={
            shown &&
            checks.length > 1 && (
              <Select
                aria-label={say('checks.choose')}
                w={440}
                allowDeselect={false}
                data={checks.map((check) => ({
                  value: String(check.check),
                  label: `${checkName(check)} · ${timeUtc(check.started)}`,
                }))}
                value={String(shown.check)}
                onChange={(check) => void state.choose(Number(check))}
              />
            )
          }
        >
          {shown ? <Check check={shown} /> : <EmptyState title={say('checks.none')} text={say('checks.none.text')} />}
        </Section>
      )}
    </Await>
  )

  function checkName({ check, kind, replicas }: CheckSummary): string {
    return say(kind === 'missing' ? 'check.missing' : 'check.checksums', { check, replicas: replicas.join(', ') })
  }
}

function Check({ check }: { check: CheckSummary }) {
  const say = useWords()
  const { count } = useFormats()
  const { archive: store } = useSession()
  const { sightings, stop, resume, findings, load } = useStore(store)
  const running = isRunning(check)
  return (
    <>
      <LongTask
        name={say(check.kind === 'missing' ? 'check.missing' : 'check.checksums', {
          check: check.check,
          replicas: check.replicas.join(', '),
        })}
        badge={<StateBadge table={checkStates} state={check.state} />}
        {...workDone(check)}
        running={running}
        sightings={sightings[check.check] ?? []}
        actions={
          <>
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              why={running ? null : say('check.stop.why')}
              onClick={() => void stop(check.check)}
            >
              {say('check.stop')}
            </ActionButton>
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Play size={14} aria-hidden />}
              why={canGoOn(check) ? null : say('check.resume.why')}
              onClick={() => void resume(check.check)}
            >
              {say('check.resume')}
            </ActionButton>
          </>
        }
      />
      {check.problem && <Text mt="xs">{check.problem}</Text>}
      <Text my="sm" role="status">
        {check.findings === 0
          ? say(
              running
                ? 'check.findings.noneYet'
                : check.ended && !canGoOn(check)
                  ? 'check.findings.none'
                  : 'check.findings.noneSoFar',
              { files: count(check.filesDone) },
            )
          : say('check.findings', { findings: check.findings, files: count(check.filesDone) })}
      </Text>
      {check.findings > 0 && (
        <Await of={findings} onRetry={() => void load()}>
          {(rows) => <Findings rows={rows} />}
        </Await>
      )}
    </>
  )
}

function Findings({ rows }: { rows: PreservationFinding[] }) {
  const say = useWords()
  const formats = useFormats()
  const columns = useMemo<Column<PreservationFinding>[]>(
    () => [
      {
        id: 'finding',
        head: say('finding.what'),
        value: ({ finding }) => say(`finding.${finding}`),
        cell: ({ finding }) => (
          <ToneBadge tone={finding === 'surplus' ? 'attention' : 'failed'} text={say(`finding.${finding}`)} />
        ),
        width: 160,
      },
      {
        id: 'name',
        head: say('files.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <span title={name}>{name}</span>,
      },
      { id: 'replica', head: say('finding.replica'), value: ({ replica }) => replica, width: 110 },
      {
        id: 'expected',
        head: say('finding.expected'),
        value: ({ expected }) => expected,
        cell: ({ finding, expected }) => <Value text={expectedWords(formats, finding, expected)} />,
      },
      {
        id: 'found',
        head: say('finding.found'),
        value: ({ found }) => found,
        cell: ({ finding, found }) => <Value text={expectedWords(formats, finding, found)} />,
      },
      {
        id: 'job',
        head: say('finding.job'),
        value: ({ job }) => job,
        cell: ({ job }) => (job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>),
        numeric: true,
        width: 64,
      },
    ],
    [say, formats],
  )
  return (
    <Table
      label={say('findings.title')}
      rows={rows}
      columns={columns}
      rowKey={({ replica, name, finding }) => `${replica}/${name}/${finding}`}
      empty={<EmptyState title={say('findings.none')} text={say('findings.none.text')} />}
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
