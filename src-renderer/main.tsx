/** Where the interface begins: chooses the link to the engine, makes the session, draws the application. */
import './links/withoutEval.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { contract } from '../src-main/contract/contract.ts'
import { servicesOver } from '../src-main/contract/service.ts'
import type { WatchedLink } from './links/connection.ts'
import { handOverTo } from './links/handOver.ts'
import { httpLink } from './links/http.ts'
import { ipcLink } from './links/ipc.ts'
import { browserShell, electronShell, type Shell } from './links/shell.ts'
import { takeHandedOver } from './links/token.ts'
import { App } from './screens/App.tsx'
import { RefusedScreen } from './screens/refused/RefusedScreen.tsx'
import { makeSession, SessionProvider } from './state/session.tsx'
import { cssVariables, theme } from './theme.ts'
import { WordsProvider } from './words/words.tsx'

function begin(): ReactNode {
  const reached = reach()
  if (!reached) return <RefusedScreen why="none" />
  const session = makeSession(servicesOver(contract, reached.link), reached.link, reached.shell)
  return (
    <SessionProvider value={session}>
      <App />
    </SessionProvider>
  )
}

/** Undefined: a browser came without the token, so nothing may be asked of the engine. */
function reach(): { link: WatchedLink; shell: Shell } | undefined {
  if (window.loupe) return { link: ipcLink(window.loupe), shell: electronShell(window.loupe) }
  const { token, isOwnWindow } = takeHandedOver({
    location: window.location,
    storage: window.sessionStorage,
    replaceAddress: (address) => window.history.replaceState(null, '', address),
  })
  if (token === undefined) return undefined
  const at = { origin: window.location.origin, token }
  return { link: httpLink(at), shell: browserShell(handOverTo(at), isOwnWindow) }
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
