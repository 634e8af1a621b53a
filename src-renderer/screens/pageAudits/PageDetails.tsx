/** One audited page: its pictures, what it lacks, and what it printed. */
import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import {
  notComparedMessage,
  type AuditedPageDetails,
  type FaultyResource,
} from '../../../src-main/contract/services/pageAudits.ts'
import { Await } from '../../parts/Await.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { PageVerdict } from './PageVerdict.tsx'
import { AuditImage } from './AuditImage.tsx'
import styles from './pageAudits.module.css'

interface PageDetailsProps {
  page: number
  onClose: () => void
  onJudged: () => void
  /** Show the page before or after this one in the list; undefined: there is none. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** Mounted again for another page (by its key). */
export function PageDetails({ page, onClose, onJudged, onPrevious, onNext }: PageDetailsProps) {
  const t = useWords()
  const { services } = useSession()
  const [details, reload] = useLoaded(useMemo(() => () => services.pageAudits.page({ page }), [services, page]))
  return (
    <Await of={details} onRetry={reload}>
      {(found) => (
        <Section
          title={found.title || found.url}
          actions={
            <span className={styles.actions}>
              {(['previous', 'next'] as const).map((way) => {
                const show = way === 'next' ? onNext : onPrevious
                return (
                  <Button key={way} variant="default" disabled={show === undefined} onClick={show}>
                    {t(`verdicts.${way}`)}
                  </Button>
                )
              })}
              <LinkButton variant="default" href={hrefOf({ place: 'viewer', jobs: [found.job], url: found.url })}>
                {t('pageAudits.view')}
              </LinkButton>
              <Button variant="default" onClick={onClose}>
                {t('pageAudits.close')}
              </Button>
            </span>
          }
        >
          <PageVerdict key={found.id} page={found} onJudged={onJudged} />
          <Details page={found} />
        </Section>
      )}
    </Await>
  )
}

function Details({ page }: { page: AuditedPageDetails }) {
  const t = useWords()
  const { percent } = useFormats()
  // The details appear below a long table. In Chromium the call returns a promise, which an effect must not.
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => void top.current?.scrollIntoView({ block: 'nearest' }), [])
  const { notCompared } = page
  const none =
    notCompared === null
      ? t('pageAudits.notCompared')
      : t('pageAudits.notCompared.because', { reason: t(notComparedMessage(notCompared)) })
  const part = (value: number | null) => (value === null ? none : percent(value))
  return (
    <div ref={top}>
      <Facts
        facts={[
          { name: t('pageAudits.page'), value: page.url },
          { name: t('pageAudits.status'), value: page.status ?? t('pageAudits.noStatus') },
          ...(page.visited === null ? [] : [{ name: t('pageAudits.visited'), value: timeUtc(page.visited) }]),
          { name: t('pageAudits.pixelDifference'), value: part(page.pixelDifference) },
          { name: t('pageAudits.textDifference'), value: part(page.textDifference) },
          { name: t('pageAudits.isLoaded'), value: t(page.isLoaded ? 'pageAudits.yes' : 'pageAudits.no') },
        ]}
      />
      <div className={styles.pictures}>
        {page.hasScreenshot && (
          <figure>
            <figcaption>{t(page.isCut ? 'pageAudits.screenshot.cut' : 'pageAudits.screenshot')}</figcaption>
            <AuditImage page={page.id} of="screenshot" alt={t('pageAudits.screenshot')} className={styles.screenshot} />
          </figure>
        )}
        {page.hasDifference && (
          <figure>
            <figcaption>{t('pageAudits.difference')}</figcaption>
            <AuditImage page={page.id} of="difference" alt={t('pageAudits.difference')} className={styles.screenshot} />
          </figure>
        )}
        <div>
          <Resources title={t('pageAudits.missing.title')} of={page.missingResources} />
          <Resources title={t('pageAudits.bad.title')} of={page.badResources} />
          <Lines title={t('pageAudits.consoleErrors')} lines={page.consoleMessages} />
        </div>
      </div>
    </div>
  )
}

function Resources({ title, of }: { title: string; of: readonly FaultyResource[] }) {
  const t = useWords()
  const lines = of.map(({ url, type, status }) =>
    [status ?? '', type === '' ? '' : t('pageAudits.resource.type', { type }), url]
      .filter((text) => text !== '')
      .join(' '),
  )
  return <Lines title={title} lines={lines} />
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const t = useWords()
  return (
    <>
      <h3 className={styles.lines}>{title}</h3>
      {lines.length === 0 ? (
        <p className="dimmed">{t('pageAudits.nothing')}</p>
      ) : (
        <ul className={styles.lines}>
          {lines.map((line, at) => (
            // Two scripts may print the same.
            <li key={at} className="wrap">
              {line}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
