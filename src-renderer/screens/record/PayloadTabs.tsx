/** The payload as text, in hexadecimal, and as an image if it is one. */
import { Tabs, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { RecordWhole } from '../../../src-main/contract/services/records.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { hexLines } from './hexLines.ts'
import { PayloadImage } from './PayloadImage.tsx'
import styles from './record.module.css'

export function PayloadTabs({ record }: { record: RecordWhole }) {
  const t = useWords()
  const { bytes } = useFormats()
  const { text, hex, isImage, payloadBytes, payloadCut } = record
  if (payloadBytes === 0)
    return (
      <Section title={t('record.payload')}>
        <EmptyState title={t('payload.none')} text={t('payload.none.text')} />
      </Section>
    )
  return (
    <Section title={t('record.payload')}>
      {payloadCut && (
        <Text size="sm" mb="xs">
          {t('payload.cut', { size: bytes(payloadBytes) })}
        </Text>
      )}
      <Tabs defaultValue={isImage ? 'image' : text === null ? 'hex' : 'text'} keepMounted={false}>
        <Tabs.List>
          {text !== null && <Tabs.Tab value="text">{t('payload.text')}</Tabs.Tab>}
          <Tabs.Tab value="hex">{t('payload.hex')}</Tabs.Tab>
          {isImage && <Tabs.Tab value="image">{t('payload.image')}</Tabs.Tab>}
        </Tabs.List>
        {text !== null && (
          <Tabs.Panel value="text">
            <Shown label={t('payload.text')} text={text} wraps />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="hex">
          <Hex hex={hex} payloadBytes={payloadBytes} />
        </Tabs.Panel>
        {isImage && (
          <Tabs.Panel value="image">
            <PayloadImage record={record} />
          </Tabs.Panel>
        )}
      </Tabs>
    </Section>
  )
}

function Hex({ hex, payloadBytes }: { hex: string; payloadBytes: number }) {
  const t = useWords()
  const { bytes } = useFormats()
  const lines = useMemo(() => hexLines(hex), [hex])
  const shown = hex.length / 2
  return (
    <>
      <Shown label={t('payload.hex')} text={lines.join('\n')} />
      {shown < payloadBytes && (
        <p className="dimmed">{t('payload.hex.first', { shown: bytes(shown), total: bytes(payloadBytes) })}</p>
      )}
    </>
  )
}

/** The payload as plain text, so that markup in it has no effect. */
function Shown({ label, text, wraps = false }: { label: string; text: string; wraps?: boolean }) {
  return (
    <div className={styles.payload}>
      <div className={styles.payloadCopy}>
        <CopyAction text={text} what={label} />
      </div>
      <pre className={styles.payloadText} data-wraps={wraps} tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
