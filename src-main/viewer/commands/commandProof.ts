/** Proof that a command which changes a viewing comes from the user or a client of theirs. Nothing else in a request proves
 *  that: an archived page can lead a browser to any URL (links, redirects, forms, images, scripts), the browser marks an
 *  archived redirect like a typed URL (`Sec-Fetch-Site: none`), and it sends the credentials of the viewing with every request.
 *  So there is a token that no browser is given and that nothing sends automatically:
 *
 *  - In the content of a POST: a page cannot send what it does not know. The form shown to a browser asks the user for it.
 *
 *  - As the password of the proxy connection, with any method: for scripts that know only the GET commands of NetarchiveSuite.
 *  It is not accepted there from a browser, which would send it with requests of archived pages too. */
import { textOf } from '../../contract/words/render.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { isNavigation } from '../model/browserRequests.ts'
import { isToken, sharedUser } from '../model/commandToken.ts'
import type { Question } from '../viewings/question.ts'
import { plainReply, textReply, type Reply } from '../model/reply.ts'

/** Name of the form field with the token. */
export const tokenField = 'token'

/** Whether the request is authorised. `token` is that of the request content, if any. */
export function isProven({ hasCommandToken, viewing, fields }: Question, token: string | undefined): boolean {
  if (token !== undefined) return isToken(token, viewing.commandToken)
  return hasCommandToken && !isFromBrowser(fields)
}

/** Whether a browser sent the request, for users who enter the token as proxy password in a browser. Chromium identifies itself
 *  in each request and over https states where a request comes from; a page can change neither. */
function isFromBrowser(fields: IncomingHttpHeaders): boolean {
  return /^mozilla\//i.test(fields['user-agent'] ?? '') || fields['sec-fetch-site'] !== undefined
}

/** The reply to a request without proof: a form for a browser window, in which the user can enter the token, or a message for
 *  everything else. `parameters` are those of the command. */
export function unproven({ url, fields, viewing, method }: Question, parameters: URLSearchParams): Reply {
  const { pathname } = new URL(url)
  const command = pathname.slice(1)
  const isWrong = method === 'POST' && parameters.has(tokenField)
  if (isNavigation(fields)) return formPage({ pathname, parameters, isWrong, user: viewing.user })
  const user = viewing.user === '' ? sharedUser : viewing.user
  const how = message('viewer.proof.how', { user, field: tokenField })
  const needed = isWrong ? message('viewer.proof.wrong', { how }) : message('viewer.proof.needed', { command, how })
  return plainReply(403, needed, [['X-Loupe', 'unproven']])
}

interface FormWanted {
  pathname: string
  parameters: URLSearchParams
  isWrong: boolean
  /** User name of the viewing; '' is the shared viewing. */
  user: string
}

function inHtml(text: Message): string {
  return escapedHtml(textOf(text))
}

/** Makes the form in which the user enters the token. It repeats the parameters of the command as hidden fields. */
function formPage({ pathname, parameters, isWrong, user }: FormWanted): Reply {
  const command = pathname.slice(1)
  const hidden = [...parameters]
    .filter(([name]) => name !== tokenField)
    .map(([name, value]) => `<input type="hidden" name="${escapedHtml(name)}" value="${escapedHtml(value)}">`)
  const why = user === '' ? message('viewer.proof.why') : message('viewer.proof.why.own', { user })
  const title = inHtml(message('viewer.proof.title', { command }))
  const wrong = isWrong ? `<p role="alert"><strong>${inHtml(message('viewer.proof.wrongToken'))}</strong></p>` : ''
  const text = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title><meta name="color-scheme" content="light dark">
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em">
<h1 style="font-size:1.3em">${title}</h1>${wrong}
<p>${inHtml(why)}</p>
<form method="post" action="${escapedHtml(pathname)}">${hidden.join('')}
<label>${inHtml(message('viewer.proof.token'))}<br><input type="password" name="${tokenField}" required autocomplete="off" style="font:inherit;width:100%"></label>
<p><button style="font:inherit">${inHtml(message('viewer.proof.run', { command }))}</button></p></form>
</html>
`
  return textReply({
    status: 403,
    text,
    mediaType: 'text/html',
    fields: [
      ['X-Loupe', 'unproven'],
      // No archived page may frame the form, or keep a reference to its window after opening it.
      [
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      ],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Referrer-Policy', 'no-referrer'],
    ],
  })
}
