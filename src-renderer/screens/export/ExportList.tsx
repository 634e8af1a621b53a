/** The exports that run and those that have ended: how far, and whether what was written was compared with what is archived. */
import { Alert, Text } from '@mantine/core'
import { Check, Info, Square, TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import type { ExportSummary } from '../../../src-main/contract/contract.ts'
import { exportStates } from '../../../src-main/contract/states.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { Section } from '../../parts/Section.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Say } from '../../words/words.tsx'
import { selectionNamed } from '../selection/selectionWords.ts'

export function ExportList() {
  const say = useWords()
  const { exports: store } = useSession()
  const { exports, load } = useStore(store)
  return (
    <Await of={exports} onRetry={() => void load()}>
      {(list) =>
        list.length === 0 ? null : (
          <Section title={say('exports.title')}>
            <ul className="exports" aria-label={say('exports.title')}>
              {list.map((one) => (
                <li key={one.export}>
                  <Export one={one} />
                </li>
              ))}
            </ul>
          </Section>
        )
      }
    </Await>
  )
}

function Export({ one }: { one: ExportSummary }) {
  const say = useWords()
  const { exports: store } = useSession()
  const { sightings, stop } = useStore(store)
  const running = one.state === 'WRITING' || one.state === 'VERIFYING'
  return (
    <>
      <LongTask
        name={exportName(say, one)}
        badge={<StateBadge table={exportStates} state={one.state} />}
        unit="bytes"
        done={one.bytesDone}
        total={one.bytesTotal}
        running={running}
        sightings={sightings[one.export] ?? []}
        actions={
          running && (
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              onClick={() => void stop(one.export)}
            >
              {say('check.stop')}
            </ActionButton>
          )
        }
      />
      <p className="with-copy export-path">
        <span className="mono wrap">{one.request.path}</span>
        <CopyAction text={one.request.path} what={say('export.path')} />
      </p>
      <Result one={one} />
    </>
  )
}

function exportName(say: Say, { export: number, request }: ExportSummary): string {
  return say('export.name', { number, what: selectionNamed(say, request) })
}

function Result({ one }: { one: ExportSummary }) {
  const say = useWords()
  const { bytes } = useFormats()
  const { verified, complete, records, request, problem, remarks } = one
  const size = bytes(one.bytes)
  return (
    <div role="status">
      {verified && (
        <Text size="sm" className="export-result" data-tone={complete ? 'done' : 'attention'}>
          {complete ? <Check size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
          {say(request.format === 'csv' ? 'export.done.csv' : 'export.done', { records, size })}
        </Text>
      )}
      {problem !== null && (
        <Alert color="red" mt="xs" p="xs">
          {problem}
        </Alert>
      )}
      {remarks.map((remark) => (
        <Alert
          key={remark}
          role="note"
          color={complete ? 'gray' : 'yellow'}
          icon={complete ? <Info aria-hidden /> : <TriangleAlert aria-hidden />}
          mt="xs"
          p="xs"
        >
          {remark}
        </Alert>
      ))}
    </div>
  )
}
