/** Checks before a frame is shown that this browser uses the viewer proxy. Otherwise the frame would show the live web as if it were the
 *  archive, which a viewer must never do. Electron's session always uses it. */
import { Button, Code, Loader, Stack, Text, Title } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { browserAddress } from '../../../src-main/contract/text/viewerAddresses.ts'
import { Await } from '../../parts/Await.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { askProxy, type About, type ProxyUse } from './askProxy.ts'
import { chromiumOptions } from './chromiumOptions.ts'
import styles from './viewer.module.css'

type Gate = { is: 'asking' } | { is: 'open' } | ProxyUse

export function ProxyGate({ children }: { children: ReactNode }) {
  const t = useWords()
  const {
    services,
    shell: { page },
  } = useSession()
  const [gate, setGate] = useState<Gate>(page ? { is: 'open' } : { is: 'asking' })
  const ask = useCallback(async () => setGate(await askProxy(services)), [services])
  useEffect(() => {
    if (!page) void ask()
  }, [page, ask])

  switch (gate.is) {
    case 'open':
    case 'used':
      return children
    case 'asking':
      return (
        <div className={styles.viewerWait} role="status">
          <Loader size="sm" aria-hidden /> {t('proxy.asking')}
        </div>
      )
    case 'refused':
      return (
        <div className={styles.viewerWait}>
          <FaultNote fault={gate.fault} onRetry={() => void ask()} />
        </div>
      )
    case 'unused':
      return <WithoutProxy about={gate.about} onRetry={() => void ask()} />
  }
}

function WithoutProxy({ about, onRetry }: { about: About; onRetry: () => void }) {
  const t = useWords()
  return (
    <div className={styles.viewerWait}>
      <Stack maw="68ch">
        <Title order={2} size="h3">
          {t('proxy.title')}
        </Title>
        <Text>{t('proxy.text')}</Text>
        <Rewritten />
        <Text fw={600}>{t('proxy.easy')}</Text>
        <Code block tabIndex={0}>{`npm run -s loupe -- --archive "${about.archive}" serve --open`}</Code>
        <Text fw={600}>{t('proxy.byHand')}</Text>
        <div className="facts-stacked">
          <Facts
            facts={[
              { name: t('proxy.address'), value: <Code>{about.proxy}</Code> },
              { name: t('proxy.certificate'), value: <Code>{about.certificate.path}</Code> },
              {
                name: t('proxy.flags'),
                value: (
                  <Code block tabIndex={0}>
                    {chromiumOptions(about, [window.location.host]).join('\n')}
                  </Code>
                ),
              },
            ]}
          />
        </div>
        <div>
          <Button variant="default" onClick={onRetry}>
            {t('proxy.retry')}
          </Button>
        </div>
      </Stack>
    </div>
  )
}

/** Opens the page in this browser without the proxy. Not for accounts on other machines, and not where the shell has no rewritten replay. */
function Rewritten() {
  const t = useWords()
  const { services, view: store } = useSession()
  const tab = shownTab(useStore(store))
  // Without the proxy no page arrives, so the tab knows only what was ordered.
  const shown = tab.order?.url ?? tab.address
  const [rewritten, again] = useLoaded(useCallback(() => services.viewer.rewritten({}), [services]))
  return (
    <Await of={rewritten} onRetry={again}>
      {({ address }) =>
        address !== null && (
          <>
            <Text>{t('proxy.rewritten.text')}</Text>
            <div>
              <Button
                component="a"
                href={shown === null ? address : `${address}#/${browserAddress(shown)}`}
                target="_blank"
                rel="noopener noreferrer"
                leftSection={<ExternalLink size={16} aria-hidden />}
              >
                {t('proxy.rewritten')}
              </Button>
            </div>
          </>
        )
      }
    </Await>
  )
}
