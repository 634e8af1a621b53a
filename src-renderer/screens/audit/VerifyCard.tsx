/** Integrity of the audit log: verified on request, with progress, and with instructions where the log is broken. */
import { Button, Group, Text } from '@mantine/core'
import { Link2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AuditEntry, AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { todoOf } from './todo.ts'
import styles from './audit.module.css'

export function VerifyCard({ onShow }: { onShow: (entry: AuditEntry) => void }) {
  const t = useWords()
  const { count } = useFormats()
  const { audit, archive } = useSession()
  const { revision } = useStore(archive)
  useEffect(() => void audit.getState().loadIfEmpty(), [audit, revision])
  const { verifying, progress, verdict, fault, verify } = useStore(audit)
  return (
    <Section title={t('audit.verify.title')}>
      <div className="card">
        <Group justify="space-between" align="start" wrap="nowrap" gap="lg">
          <Text size="sm" maw="75ch">
            {t('audit.verify.text')}
          </Text>
          <Button
            leftSection={<Link2 size={16} aria-hidden />}
            loading={verifying}
            style={{ flexShrink: 0 }}
            onClick={() => void verify()}
          >
            {t('audit.verify')}
          </Button>
        </Group>
        {fault && <FaultNote fault={fault} onRetry={() => void verify()} />}
        <div role="status" className={styles.chainVerdict}>
          {verifying && (
            <Meter
              name={t('audit.verify.running')}
              done={progress?.entries ?? 0}
              total={progress?.entriesTotal ?? 1}
              text={
                progress
                  ? t('audit.verify.progress', {
                      entries: count(progress.entries),
                      total: count(progress.entriesTotal),
                    })
                  : t('audit.verify.begun')
              }
            />
          )}
          {verdict && <Verdict result={verdict.result} at={verdict.at} onShow={onShow} />}
        </div>
      </div>
    </Section>
  )
}

interface VerdictProps {
  result: AuditVerdict
  at: string
  onShow: (entry: AuditEntry) => void
}

function Verdict({ result, at, onShow }: VerdictProps) {
  const t = useWords()
  const formats = useFormats()
  const { whole, entries, broken, head, witness } = result
  const todo = todoOf(result)
  return (
    <>
      <Group gap="sm">
        <ToneBadge tone={whole ? 'done' : 'failed'} text={t(whole ? 'audit.whole' : 'audit.broken')} />
        <Text size="sm" c="dimmed">
          {t('audit.verified', { ago: formats.ago(at, new Date()) })}
        </Text>
      </Group>
      {broken ? (
        <>
          <Text mt="xs" fw={600}>
            {t(`audit.broken.${broken.kind}`, { number: broken.number })}
          </Text>
          <Text size="sm">{t('audit.broken.before', { entries })}</Text>
          {broken.kind !== 'removed' && <ShowEntry number={broken.number} onShow={onShow} />}
        </>
      ) : (
        <Text mt="xs">{t('audit.whole.text', { entries })}</Text>
      )}
      <Text size="sm">{t(`audit.witness.${witness.state}`, { number: witness.number ?? 0 })}</Text>
      {todo.length > 0 && (
        <div className={styles.todo}>
          <Text component="h3" size="sm" fw={600}>
            {t('audit.todo')}
          </Text>
          <ol>
            {todo.map((step) => (
              <li key={step}>{t(step)}</li>
            ))}
          </ol>
        </div>
      )}
      {head !== null && (
        <div className={styles.hash}>
          <Text size="xs" c="dimmed">
            {t('audit.head')} – {t('audit.head.meaning')}
          </Text>
          <span className="with-copy">
            <span className="mono wrap">{head}</span>
            <CopyAction text={head} what={t('audit.head')} />
          </span>
        </div>
      )}
    </>
  )
}

/** Entries are numbered without gaps up to the broken one, so its position in the log follows from its number. */
function ShowEntry({ number, onShow }: { number: number; onShow: (entry: AuditEntry) => void }) {
  const t = useWords()
  const { services } = useSession()
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function show(): Promise<void> {
    setRefusal(null)
    try {
      const { total } = await services.archive.auditLog({ limit: 1 })
      const { rows } = await services.archive.auditLog({ offset: Math.max(0, total - number), limit: 1 })
      if (rows[0]) onShow(rows[0])
    } catch (error) {
      setRefusal(faultFrom(error))
    }
  }

  return (
    <>
      <Button size="xs" variant="default" my="xs" onClick={() => void show()}>
        {t('audit.showBroken', { number })}
      </Button>
      {refusal && <FaultNote fault={refusal} onRetry={() => void show()} />}
    </>
  )
}
