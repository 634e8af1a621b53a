/** Entry point of the interface: chooses the connection to the engine, creates the session and renders the application. */
import './links/withoutEval.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode, useEffect, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { contract } from '../src-main/contract/contract.ts'
import { servicesOver } from '../src-main/contract/calls/service.ts'
import type { WatchedLink } from './links/connection.ts'
import { downloadFrom, followAsDownload } from './links/download.ts'
import { handOverTo } from './links/handOver.ts'
import { httpLink } from './links/http.ts'
import { ipcLink } from './links/ipc.ts'
import { browserShell, electronShell, type Shell } from './links/shell.ts'
import { accessChannelName, askForAccess, shareAccess } from './links/sharedAccess.ts'
import { keepHandedOver, takeHandedOver, type HandedOver } from './links/token.ts'
import { App } from './shell/App.tsx'
import { RefusedScreen } from './screens/refused/RefusedScreen.tsx'
import { makeSession, SessionProvider } from './state/session.tsx'
import { cssVariables, theme } from './theme.ts'
import { WordsProvider } from './words/words.tsx'

function begin(): ReactNode {
  if (window.loupe) return interfaceOver(ipcLink(window.loupe), electronShell(window.loupe))
  const access = takeHandedOver({
    location: window.location,
    storage: window.sessionStorage,
    replaceAddress: (address) => window.history.replaceState(null, '', address),
  })
  return access ? interfaceWith(access) : <AccessFromOtherWindows />
}

function interfaceOver(link: WatchedLink, shell: Shell): ReactNode {
  const session = makeSession(servicesOver(contract, link), link, shell)
  return (
    <SessionProvider value={session}>
      <App />
    </SessionProvider>
  )
}

function interfaceWith(access: HandedOver): ReactNode {
  shareAccess(new BroadcastChannel(accessChannelName), access)
  const at = { origin: window.location.origin, token: access.token }
  const download = downloadFrom({ ...at, follow: followAsDownload })
  const parts = { handOver: handOverTo(at), download, isOwnWindow: access.isOwnWindow }
  return interfaceOver(httpLink(at), browserShell(parts))
}

/** Another window of this browser answers within a few milliseconds. An answer that comes later is still taken. */
const otherWindowsMsMax = 1_000

/** Shown in a browser without the token. Nothing may be asked of the engine until another window shares it. */
function AccessFromOtherWindows() {
  const [shown, setShown] = useState<ReactNode>(null)
  useEffect(() => {
    const channel = new BroadcastChannel(accessChannelName)
    const timer = setTimeout(() => setShown(<RefusedScreen why="none" />), otherWindowsMsMax)
    askForAccess(channel, (access) => {
      clearTimeout(timer)
      channel.close()
      keepHandedOver(window.sessionStorage, access)
      setShown(interfaceWith(access))
    })
    return () => {
      clearTimeout(timer)
      channel.close()
    }
  }, [])
  return shown
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <WordsProvider>{begin()}</WordsProvider>
    </MantineProvider>
  </StrictMode>,
)
