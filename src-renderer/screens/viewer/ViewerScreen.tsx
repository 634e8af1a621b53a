/** Looking at what was harvested: the page as a browser saw it, and beside it what it wanted and did not get. */
import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useStore } from 'zustand'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Await } from '../../parts/Await.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { AddressBar } from './AddressBar.tsx'
import { ArchivedPage } from './ArchivedPage.tsx'
import { PageFacts } from './PageFacts.tsx'
import { ProxyGate } from './ProxyGate.tsx'
import { ResourcePanel } from './ResourcePanel.tsx'
import { ViewChooser, ViewDialog } from './ViewChooser.tsx'

export function ViewerScreen({ wanted, url }: { wanted: number[]; url: string | undefined }) {
  const say = useWords()
  const { view: store } = useSession()
  const { view, load, open, opening, refusal } = useStore(store)
  const wish = wanted.join(',')
  useEffect(() => {
    if (wish !== '') void open({ jobs: wish.split(',').map(Number), ...(url === undefined ? {} : { url }) })
  }, [wish, url, open])

  if (opening) {
    return (
      <div className="viewer-wait" role="status">
        <Loader size="sm" aria-hidden /> {say('viewer.opening')}
      </div>
    )
  }
  return (
    <Await of={view} onRetry={() => void load()}>
      {(current) =>
        current === null ? (
          <div className="viewer-wait">
            <PageHead title={say('viewer.title')} />
            {refusal && <FaultNote fault={refusal} />}
            <ViewChooser />
          </div>
        ) : (
          <OpenView />
        )
      }
    </Await>
  )
}

function OpenView() {
  const say = useWords()
  const { view: store, dialogs } = useSession()
  const { order, refusal } = useStore(store)
  const { open } = useStore(dialogs)
  const [choosing, setChoosing] = useState(false)
  const [covered, setCovered] = useState(false)
  useEffect(() => {
    document.title = `${say('viewer.title')} – Loupe`
  }, [say])
  return (
    <div className="viewer">
      <h1 className="visually-hidden">{say('viewer.title')}</h1>
      <AddressBar onCover={setCovered} onChoose={() => setChoosing(true)} />
      <PageFacts onCover={setCovered} />
      {refusal && <FaultNote fault={refusal} />}
      <Group className="viewer-body" id="viewer">
        <Panel id="page" minSize="30%">
          <ProxyGate>
            {order ? (
              <ArchivedPage covered={covered || choosing || open !== null} />
            ) : (
              <div className="viewer-wait">
                <EmptyState title={say('viewer.nowhere')} text={say('viewer.nowhere.text')} />
              </div>
            )}
          </ProxyGate>
        </Panel>
        <Separator className="splitter" aria-label={say('viewer.splitter')} />
        <Panel id="resources" defaultSize="32%" minSize={260} collapsible>
          <ResourcePanel />
        </Panel>
      </Group>
      <ViewDialog opened={choosing} onClose={() => setChoosing(false)} />
    </div>
  )
}
