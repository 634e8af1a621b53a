/** The proof that the user, or a client of theirs, asks for a command that changes a viewing. Everything else that a request says proves
 *  nothing: an archived page can lead a browser to any address in any way (links, redirects, forms, images, scripts), the browser says of
 *  an archived redirect what it says of a typed address (`Sec-Fetch-Site: none`), and it sends the name and password of the viewing along
 *  with every request. So there is a token that no browser is given, and that nothing sends by itself:
 *
 *  - In the content of a POST: what a page cannot know it cannot send. The form that is shown to a browser asks the user for it.
 *  - As the password of the proxy connection, with any method: for scripts that know only the GET commands of NetarchiveSuite. From a
 *    browser it does not count there, since a browser would send it with the requests of archived pages too. */
import type { IncomingHttpHeaders } from 'node:http'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { isNavigation } from '../model/browserRequests.ts'
import { isToken, sharedUser } from '../model/commandToken.ts'
import type { Question } from '../viewings/question.ts'
import { plainReply, textReply, type Reply } from '../model/reply.ts'

/** The name of the field in the content of a POST. */
export const tokenField = 'token'

/** `token`: of the content, where there is one. */
export function isProven({ hasCommandToken, viewing, fields }: Question, token: string | undefined): boolean {
  if (token !== undefined) return isToken(token, viewing.commandToken)
  return hasCommandToken && !isFromBrowser(fields)
}

/** For users who enter the token as a proxy password in their browser against the advice. Chromium names itself in each request, and over
 *  https it says from where the request comes; a page cannot change either. */
function isFromBrowser(fields: IncomingHttpHeaders): boolean {
  return /^mozilla\//i.test(fields['user-agent'] ?? '') || fields['sec-fetch-site'] !== undefined
}

/** A form for a window of a browser, so that the user can go on with the token; a sentence for everything else. `parameters`: what the
 *  command was asked with. */
export function unproven({ url, fields, viewing, method }: Question, parameters: URLSearchParams): Reply {
  const { pathname } = new URL(url)
  const command = pathname.slice(1)
  const isWrong = method === 'POST' && parameters.has(tokenField)
  if (isNavigation(fields)) return formPage({ pathname, parameters, isWrong, user: viewing.user })
  const user = viewing.user === '' ? sharedUser : viewing.user
  const why = isWrong ? 'The token is not that of this viewing.' : `${command} changes the viewing, so Loupe must know that you asked for it and not an archived page.` // prettier-ignore
  return plainReply(
    403,
    `${why} Send the command token as the proxy password of ${user}, or as ${tokenField} in the form data of a POST; "loupe view", "loupe serve" and Loupe's settings show it.`,
    [['X-Loupe', 'unproven']],
  )
}

interface FormWanted {
  pathname: string
  parameters: URLSearchParams
  isWrong: boolean
  /** Of the viewing; '' is the interface's. */
  user: string
}

function formPage({ pathname, parameters, isWrong, user }: FormWanted): Reply {
  const command = pathname.slice(1)
  const hidden = [...parameters]
    .filter(([name]) => name !== tokenField)
    .map(([name, value]) => `<input type="hidden" name="${escapedHtml(name)}" value="${escapedHtml(value)}">`)
  const place = user === '' ? 'in its settings' : `in the viewer, for ${escapedHtml(user)}`
  const wrong = isWrong ? '<p role="alert"><strong>The token is not that of this viewing.</strong></p>' : ''
  const text = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Confirm ${escapedHtml(command)}</title><meta name="color-scheme" content="light dark">
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em">
<h1 style="font-size:1.3em">Confirm ${escapedHtml(command)}</h1>${wrong}
<p>This command changes what Loupe shows or records. An archived page may have led here. If you want it, enter the command token, which Loupe shows ${place}.</p>
<form method="post" action="${escapedHtml(pathname)}">${hidden.join('')}
<label>Command token<br><input type="password" name="${tokenField}" required autocomplete="off" style="font:inherit;width:100%"></label>
<p><button style="font:inherit">Run ${escapedHtml(command)}</button></p></form>
</html>
`
  return textReply({
    status: 403,
    text,
    mediaType: 'text/html',
    fields: [
      ['X-Loupe', 'unproven'],
      // No archived page may frame it, and none that opened it keeps hold of its window.
      [
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      ],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Referrer-Policy', 'no-referrer'],
    ],
  })
}
