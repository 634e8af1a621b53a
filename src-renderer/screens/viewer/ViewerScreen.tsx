/** Replay: the page as a browser shows it, with its resources and missing resources next to it. */
import { Button, Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useStore } from 'zustand'
import { isEmpty } from '../../../src-main/contract/shapes/selection.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Await } from '../../parts/Await.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { useWindowTitle } from '../../parts/windowTitle.ts'
import { valueOf } from '../../state/loaded.ts'
import { isShowable } from '../../state/pageOfAnswers.ts'
import { useSession } from '../../state/session.tsx'
import type { Choice } from '../../state/viewState.ts'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import { isNewlyOpened, type Route } from '../../routes/routes.ts'
import { AddressBar } from './AddressBar.tsx'
import { ArchivedPage } from './ArchivedPage.tsx'
import { ExplainDrawer } from './ExplainDrawer.tsx'
import { IncompleteDialog } from './IncompleteDialog.tsx'
import { FindBar } from './FindBar.tsx'
import { MissingPageBar } from './MissingPageBar.tsx'
import { OtherViewNote } from './OtherViewNote.tsx'
import type { Overlay, ShowOverlay } from './overlay.ts'
import { OwnViewingsDialog } from './OwnViewings.tsx'
import { PageFacts } from './PageFacts.tsx'
import { PageListDialog } from './PageListDialog.tsx'
import type { ResourceOrder } from './PageResources.tsx'
import { PictureDialog } from './PictureDialog.tsx'
import { ProxyGate } from './ProxyGate.tsx'
import { ResourcePanel, type PanelTab } from './ResourcePanel.tsx'
import { TabStrip } from './TabStrip.tsx'
import { TimelineDialog } from './TimelineDialog.tsx'
import { UnshownPage } from './UnshownPage.tsx'
import { usePageCommands } from './usePageCommands.ts'
import { ViewChooser, ViewDialog } from './ViewChooser.tsx'
import styles from './viewer.module.css'

type ViewerScreenProps = Omit<Extract<Route, { place: 'viewer' }>, 'place'>

export function ViewerScreen({ jobs, files, all, url, at, overlays }: ViewerScreenProps) {
  const t = useWords()
  const { view: store } = useSession()
  const { view, load, open, isShowing, opening, refusal } = useStore(store)
  const wish = JSON.stringify({ jobs, files, all, at, withOverlays: overlays })
  useEffect(() => {
    const selection = JSON.parse(wish) as Pick<Choice, 'jobs' | 'files' | 'all' | 'at' | 'withOverlays'>
    if (isEmpty(selection)) return
    // Returning to the same view shows the page that was open; any other view starts at its first page.
    const beginAt = isNewlyOpened() || !isShowing(selection) ? 'firstPage' : 'shownPage'
    void open({ ...selection, beginAt, ...(url === undefined ? {} : { url }) })
  }, [wish, url, open, isShowing])

  if (opening) {
    return (
      <div className={styles.viewerWait} role="status">
        <Loader size="sm" aria-hidden /> {t('viewer.opening')}
      </div>
    )
  }
  return (
    <Await of={view} onRetry={() => void load()}>
      {(current) =>
        current === null ? (
          <div className={styles.viewerWait}>
            <PageHead title={t('viewer.title')} />
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
  const t = useWords()
  const {
    view: store,
    dialogs,
    shell: { page },
  } = useSession()
  const { refusal } = useStore(store)
  const { open } = useStore(dialogs)
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [covered, setCovered] = useState(false)
  const [panel, setPanel] = useState<PanelTab>('page')
  const [order, setOrder] = useState<ResourceOrder>('group')
  const [finding, setFinding] = useState(false)
  usePageCommands({ onFind: () => setFinding(true), onShow: setOverlay })
  useWindowTitle(t('viewer.title'))

  function showByDistance(): void {
    setPanel('page')
    setOrder('distance')
  }

  return (
    <div className={styles.viewer}>
      <h1 className="visually-hidden">{t('viewer.title')}</h1>
      <TabStrip />
      <AddressBar onCover={setCovered} onShow={setOverlay} />
      <PageFacts onShow={setOverlay} onDistance={showByDistance} />
      {refusal && <FaultNote fault={refusal} />}
      <OtherViewNote />
      <MissingPageBar />
      {page && finding && <FindBar page={page} onClose={() => setFinding(false)} />}
      <Group className="viewer-body" id="viewer">
        <Panel id="page" minSize="30%">
          <ProxyGate>
            <Pages covered={covered || overlay !== null || open !== null} onShow={setOverlay} />
          </ProxyGate>
        </Panel>
        <Separator className="splitter" aria-label={t('viewer.splitter')} />
        <Panel id="resources" defaultSize="32%" minSize={260} collapsible>
          <ResourcePanel tab={panel} onTab={setPanel} order={order} onOrder={setOrder} onShow={setOverlay} />
        </Panel>
      </Group>
      <Overlays overlay={overlay} onClose={() => setOverlay(null)} />
    </div>
  )
}

function Pages({ covered, onShow }: { covered: boolean; onShow: ShowOverlay }) {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const { order, page } = shownTab(state)
  const isEmpty = order === null
  const unshown = page && !isShowable(page) ? page : null
  return (
    <>
      {state.tabs.some((tab) => tab.order !== null) && (
        <ArchivedPage covered={covered} hidden={isEmpty || unshown !== null} />
      )}
      {!isEmpty && unshown && <UnshownPage page={unshown} />}
      {isEmpty && (
        <div className={styles.viewerWait}>
          <EmptyState title={t('viewer.nowhere')} text={t('viewer.nowhere.text')}>
            <Button variant="default" onClick={() => onShow({ is: 'pages' })}>
              {t('viewer.nowhere.pages')}
            </Button>
          </EmptyState>
        </div>
      )}
    </>
  )
}

function Overlays({ overlay, onClose }: { overlay: Overlay | null; onClose: () => void }) {
  const { view: store } = useSession()
  const view = valueOf(useStore(store).view)
  return (
    <>
      <ViewDialog opened={overlay?.is === 'choosing'} onClose={onClose} />
      {view && <IncompleteDialog view={view} opened={overlay?.is === 'incomplete'} onClose={onClose} />}
      <PageListDialog opened={overlay?.is === 'pages'} onClose={onClose} />
      <PictureDialog opened={overlay?.is === 'picture'} onClose={onClose} />
      <OwnViewingsDialog opened={overlay?.is === 'own'} onClose={onClose} />
      <TimelineDialog url={overlay?.is === 'timeline' ? overlay.url : null} onClose={onClose} />
      <ExplainDrawer overlay={overlay?.is === 'explain' ? overlay : null} onClose={onClose} />
    </>
  )
}
