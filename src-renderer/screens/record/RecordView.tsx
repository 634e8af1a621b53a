/** One record: its type, findings, headers, payload, digests and position. Nothing of it becomes HTML of our page: text is inserted as
 *  text, and an image is shown in a frame without permissions. */
import { Alert, Group, Text, Title } from '@mantine/core'
import type { FileFinding } from '../../../src-main/contract/services/fileFindings.ts'
import type { RecordWhole } from '../../../src-main/contract/services/records.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { ruleWords } from '../findings/ruleWords.ts'
import { findingIcons, severities } from '../findings/severity.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { digestBadges } from './digestBadges.ts'
import { PayloadTabs } from './PayloadTabs.tsx'
import styles from './record.module.css'

export function RecordView({ record }: { record: RecordWhole }) {
  return (
    <article className="record" aria-label={`${record.type} ${record.offset}`}>
      <RecordHead record={record} />
      <Findings findings={record.findingList} />
      <RecordLocation record={record} />
      <Digests record={record} />
      <RecordHeader record={record} />
      <HttpHeader record={record} />
      <PayloadTabs record={record} />
    </article>
  )
}

function RecordHead({ record }: { record: RecordWhole }) {
  const t = useWords()
  const { type, status, mediaType, url, date } = record
  return (
    <header>
      <Group gap="xs">
        <Title order={2} size="h3">
          {type === '' ? t('record.noType') : type}
        </Title>
        {status !== null && <ToneBadge tone={status < 400 ? 'done' : 'attention'} text={String(status)} />}
        {mediaType !== null && <Text c="dimmed">{mediaType}</Text>}
        {date !== null && <Text c="dimmed">{date}</Text>}
      </Group>
      <p className={`with-copy ${styles.recordAddress}`}>
        <span className="wrap">{url ?? t('record.noUrl')}</span>
        {url !== null && <CopyAction text={url} what={t('resources.address')} />}
      </p>
    </header>
  )
}

function worstFirst(one: FileFinding, other: FileFinding): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}

function Findings({ findings }: { findings: readonly FileFinding[] }) {
  const t = useWords()
  if (findings.length === 0)
    return (
      <p className={styles.recordFine} role="status">
        <ToneBadge tone="done" text={t('record.fine')} />
      </p>
    )
  return (
    <Section title={t('record.findings.title')}>
      {findings.toSorted(worstFirst).map(({ rule, severity, clause, means, message, offset }, index) => {
        const { color, icon: Icon } = findingIcons[severity]
        return (
          <Alert
            key={`${rule} ${offset} ${index}`}
            role="note"
            color={color}
            icon={<Icon aria-hidden />}
            mb="xs"
            p="sm"
            title={`${t(`severity.${severity}`)}: ${ruleWords(rule)}`}
          >
            <Text size="sm">{t(message)}</Text>
            <Text size="sm" mt={4}>
              {t(means)}
            </Text>
            <Text size="xs" mt={4}>
              {clause}
            </Text>
          </Alert>
        )
      })}
    </Section>
  )
}

function RecordLocation({ record }: { record: RecordWhole }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const { file, offset, length, number, replicas, job, blockBytes, payloadBytes, payloadCut, version, addressable } =
    record
  // Below a thousand bytes both numbers are the same.
  const size = (amount: number) => (amount < 1000 ? bytes(amount) : `${bytes(amount)} (${count(amount)})`)
  return (
    <Section title={t('record.where')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('files.name'), value: file },
            { name: t('record.number'), value: number === null ? '–' : count(number) },
            {
              name: t('record.offset'),
              value: (
                <span className="with-copy">
                  {count(offset)}
                  <CopyAction text={String(offset)} what={t('record.offset')} />
                </span>
              ),
            },
            { name: t('record.length'), value: addressable ? size(length) : t('record.length.shared') },
            { name: t('record.block'), value: size(blockBytes) },
            {
              name: t('record.payload'),
              value: payloadCut ? t('record.payload.cut', { size: size(payloadBytes) }) : size(payloadBytes),
            },
            { name: t('record.format'), value: version },
            { name: t('files.stored'), value: replicas.length === 0 ? t('record.noReplica') : replicas.join(', ') },
            {
              name: t('finding.job'),
              value: job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>,
            },
          ]}
        />
      </div>
    </Section>
  )
}

function Digests({ record: { digests } }: { record: RecordWhole }) {
  const t = useWords()
  return (
    <Section title={t('record.digests')}>
      {digests.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('record.digests.none')}
        </Text>
      ) : (
        <div className="table-scroll">
          <table aria-label={t('record.digests')} className={`${styles.headerTable} ${styles.digestTable}`}>
            <thead>
              <tr>
                <th scope="col">{t('record.digest.of')}</th>
                <th scope="col">{t('record.digest.verdict')}</th>
                <th scope="col">{t('record.digest.named')}</th>
                <th scope="col">{t('record.digest.computed')}</th>
              </tr>
            </thead>
            <tbody>
              {digests.map(({ of, named, computed, verdict }) => (
                <tr key={`${of} ${named}`}>
                  <td>{t(`record.digest.of.${of}`)}</td>
                  <td>
                    <ToneBadge tone={digestBadges[verdict].tone} text={t(digestBadges[verdict].word)} />
                  </td>
                  <td className="mono">{named}</td>
                  <td className="mono">{computed === '' ? '–' : computed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {[...new Set(digests.map(({ verdict }) => verdict))].map((verdict) => (
        <Text key={verdict} size="sm" mt={6}>
          {t(digestBadges[verdict].word)}: {t(digestBadges[verdict].meaning)}
        </Text>
      ))}
    </Section>
  )
}

function RecordHeader({ record: { format, fields } }: { record: RecordWhole }) {
  const t = useWords()
  const title = t(format === 'warc' ? 'record.header.warc' : 'record.header.arc')
  const text = fields.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <Section title={title} actions={<CopyAction text={text} what={title} />}>
      <HeaderTable label={title} fields={fields} />
    </Section>
  )
}

function HttpHeader({ record: { http } }: { record: RecordWhole }) {
  const t = useWords()
  if (!http) return null
  const title = t('record.header.http')
  const text = [http.firstLine, ...http.fields.map(([name, value]) => `${name}: ${value}`)].join('\n')
  return (
    <Section title={title} actions={<CopyAction text={text} what={title} />}>
      <p className={`mono wrap ${styles.recordFirstLine}`}>{http.firstLine}</p>
      <HeaderTable label={title} fields={http.fields} />
    </Section>
  )
}

/** Fields in the order of the record. A name may occur more than once. */
function HeaderTable({ label, fields }: { label: string; fields: readonly (readonly [string, string])[] }) {
  const t = useWords()
  if (fields.length === 0) return <p className="dimmed">{t('record.header.none')}</p>
  return (
    <div className="table-scroll">
      <table aria-label={label} className={styles.headerTable}>
        <tbody>
          {fields.map(([name, value], index) => (
            <tr key={`${index} ${name}`}>
              <th scope="row">{name}</th>
              <td className="mono">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
