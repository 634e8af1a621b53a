/** What the index of the view could not take in, behind the badge that says how much it is: jobs, files and records, each with
 *  its reason and the way to it. */
import { Modal, Stack, Text, Title } from '@mantine/core'
import type { ViewSummary } from '../../../src-main/contract/viewer.ts'
import { useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'

/** 0: everything was taken in. */
export function leftOut({ jobsMissing, filesMissing, quarantined }: ViewSummary): number {
  return jobsMissing.length + filesMissing.length + quarantined.count
}

interface IncompleteDialogProps {
  view: ViewSummary
  opened: boolean
  onClose: () => void
}

export function IncompleteDialog({ view, opened, onClose }: IncompleteDialogProps) {
  const say = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={say('incomplete.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <Stack>
        <Text size="sm">{say('incomplete.text')}</Text>
        {view.jobsMissing.length > 0 && <MissingJobs jobs={view.jobsMissing} />}
        {view.filesMissing.length > 0 && <MissingFiles files={view.filesMissing} />}
        {view.quarantined.count > 0 && <Quarantined {...view.quarantined} />}
      </Stack>
    </Modal>
  )
}

function MissingJobs({ jobs }: { jobs: readonly number[] }) {
  const say = useWords()
  return (
    <section>
      <Title order={3} size="h5">
        {say('incomplete.jobs')}
      </Title>
      <ul className="plain-list">
        {jobs.map((job) => (
          <li key={job}>
            <a href={hrefOf({ place: 'job', job })}>{say('viewer.jobs', { count: 1, jobs: job })}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MissingFiles({ files }: { files: ViewSummary['filesMissing'] }) {
  const say = useWords()
  return (
    <section>
      <Title order={3} size="h5">
        {say('incomplete.files')}
      </Title>
      <p className="dimmed plain-text">
        {say('incomplete.files.hint')}{' '}
        <a href={hrefOf({ place: 'archive', tab: 'repair' })}>{say('incomplete.toRepair')}</a>
      </p>
      <ul className="plain-list">
        {files.map(({ name, reason }) => (
          <li key={name}>
            <a className="wrap" href={hrefOf({ place: 'file', file: name })}>
              {name}
            </a>
            <p className="plain-text">{reason}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Quarantined({ count: total, first }: ViewSummary['quarantined']) {
  const say = useWords()
  const { count } = useFormats()
  return (
    <section>
      <Title order={3} size="h5">
        {say('incomplete.records')}
      </Title>
      {first.length < total && (
        <p className="dimmed plain-text">{say('incomplete.records.cut', { shown: first.length, count: total })}</p>
      )}
      <ul className="plain-list">
        {first.map(({ file, offset, reason }) => (
          <li key={`${file} ${offset} ${reason}`}>
            <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
              {offset === null ? file : say('record.at', { file, offset: count(offset) })}
            </a>
            <p className="plain-text">{reason}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
