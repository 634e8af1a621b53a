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
import { confirmingLink } from './links/confirmingLink.ts'
import type { WatchedLink } from './links/connection.ts'
import { downloadFrom, followAsDownload } from './links/download.ts'
import { handOverTo } from './links/handOver.ts'
import { httpLink } from './links/http.ts'
import { ipcLink } from './links/ipc.ts'
import { logInsAt } from './links/logIn.ts'
import { browserShell, electronShell, type Account, type Shell } from './links/shell.ts'
import { accessChannelName, askForAccess, shareAccess } from './links/sharedAccess.ts'
import { forgetHandedOver, keepHandedOver, takeHandedOver, takeReturn, type HandedOver } from './links/token.ts'
import { App } from './shell/App.tsx'
import { LogInScreen } from './screens/logIn/LogInScreen.tsx'
import { RefusedScreen } from './screens/refused/RefusedScreen.tsx'
import { loadedFrom } from './state/loaded.ts'
import { makePasswordQuestion } from './state/passwordQuestion.ts'
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
  if (access) return interfaceWith(access)
  const { location } = window
  return (
    <WithoutAccess
      isReturn={takeReturn({ location, replaceAddress: (address) => window.history.replaceState(null, '', address) })}
    />
  )
}

function interfaceOver(link: WatchedLink, shell: Shell): ReactNode {
  const question = makePasswordQuestion()
  const confirming = confirmingLink(link, () => question.getState().ask())
  const session = makeSession(servicesOver(contract, confirming), link, shell, question)
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
  const account = access.isAccount ? accountOf(access.token) : null
  const parts = { handOver: handOverTo(at), download, isOwnWindow: access.isOwnWindow, account }
  return interfaceOver(httpLink(at), browserShell(parts))
}

function accountOf(token: string): Account {
  const logInAgain = () => {
    forgetHandedOver(window.sessionStorage)
    window.location.reload()
  }
  if (token === '') return { logInAgain, logOut: null }
  // The session may have ended already; the token is forgotten in any case.
  return { logInAgain, logOut: () => logIns.logOut(token).then(logInAgain, logInAgain) }
}

const logIns = logInsAt(window.location.origin)

/** Another window of this browser answers within a few milliseconds. An answer that comes later is still taken. */
const otherWindowsMsMax = 1_000

/** Shown in a browser without a token: another window shares its own, an account logs in, or a server in front has logged
 *  it in. `isReturn`: the browser comes from an identity provider. Nothing else may be asked of the engine. */
function WithoutAccess({ isReturn }: { isReturn: boolean }) {
  const [shown, setShown] = useState<ReactNode>(null)
  useEffect(() => {
    const channel = new BroadcastChannel(accessChannelName)
    const enter = (access: HandedOver) => {
      clearTimeout(timer)
      channel.close()
      keepHandedOver(window.sessionStorage, access)
      setShown(interfaceWith(access))
    }
    const onToken = (token: string) => enter({ token, isOwnWindow: false, isAccount: true })
    const askWho = async () => {
      const offer = await logIns.offer()
      if (!offer) return setShown(<RefusedScreen why="none" />)
      if (offer.account !== null) return onToken('')
      const finished = isReturn ? await loadedFrom(logIns.finishWithProvider()) : null
      if (finished?.is === 'ready') return onToken(finished.value)
      const providerProblem = finished?.is === 'refused' ? finished.fault.message : null
      const onLeave = (url: string) => window.location.assign(url)
      setShown(<LogInScreen {...{ logIns, provider: offer.provider, providerProblem, onToken, onLeave }} />)
    }
    const timer = setTimeout(() => void askWho(), otherWindowsMsMax)
    askForAccess(channel, enter)
    return () => {
      clearTimeout(timer)
      channel.close()
    }
  }, [isReturn])
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
