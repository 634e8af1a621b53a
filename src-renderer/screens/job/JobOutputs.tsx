/** Deliveries of a job: a line for each of its outputs. */
import { Table, Text } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { OutputOfJob } from '../../../src-main/contract/services/outputs.ts'
import { outputNoticeStates } from '../../../src-main/contract/states/outputStates.ts'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

const counted = ['delivered', 'waiting', 'failed', 'removed', 'notTaken'] as const

/** Shows nothing for a job without outputs. */
export function JobOutputs({ job }: { job: JobWhole }) {
  const t = useWords()
  const { count } = useFormats()
  const rows = useOutputs(job)
  if (rows.length === 0) return null
  return (
    <Section title={t('job.outputs')}>
      <div className="card">
        <Table aria-label={t('job.outputs')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('job.outputs.output')}</Table.Th>
              {counted.map((name) => (
                <Table.Th key={name} ta="end">
                  {t(`job.outputs.${name}`)}
                </Table.Th>
              ))}
              <Table.Th>{t('job.outputs.end')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ output, counts, notice }) => (
              <Table.Tr key={output}>
                <Table.Td>{output}</Table.Td>
                {counted.map((name) => (
                  <Table.Td key={name} ta="end">
                    {count(counts[name])}
                  </Table.Td>
                ))}
                <Table.Td>{notice && <Notice notice={notice} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  )
}

function Notice({ notice: { state, message } }: { notice: NonNullable<OutputOfJob['notice']> }) {
  const t = useWords()
  return (
    <>
      <StateBadge table={outputNoticeStates} state={state} />
      {state !== 'DONE' && message && <Text size="sm">{t(message)}</Text>}
    </>
  )
}

/** The outputs, loaded again when the job or a delivery has changed. */
function useOutputs(job: JobWhole): OutputOfJob[] {
  const { services } = useSession()
  const [rows, setRows] = useState<OutputOfJob[]>([])
  const load = useCallback(async () => setRows(await services.outputs.ofJob({ job: job.job })), [services, job.job])
  useEffect(() => {
    void load()
    return services.outputs.changed(() => void load())
  }, [services, load, job])
  return rows
}
