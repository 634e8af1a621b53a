/** The files of rewritten replay, except captures: Loupe's page with the frame, the beginning of the frame, the service worker, and wabac.js. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { textFor } from '../../contract/words/render.ts'
import type { RewrittenOrigins } from './rewrittenGate.ts'
import { beginScript, frameScript, workerScript, type ScriptTexts } from './rewrittenScripts.ts'

/** One file, and the policy of the document or worker that it is. */
export interface RewrittenFile {
  mediaType: string
  policy: string
  /** Reads or makes its text. */
  text: () => string | Promise<string>
}

/** Files by origin and path. */
export type RewrittenFiles = Record<'frame' | 'pages', ReadonlyMap<string, RewrittenFile>>

/** Makes the files. wabac.js is read from its package when a browser asks for it. `proxy`: host and port of the exact replay. */
export function rewrittenFiles(origins: RewrittenOrigins, proxy: string): RewrittenFiles {
  const texts: ScriptTexts = {
    notHttp: textFor('rewritten.notHttp'),
    missing: textFor('viewer.missing.title'),
    capturedAt: textFor('rewritten.capturedAt'),
    noWorkers: textFor('rewritten.noWorkers'),
    notStarted: textFor('rewritten.notStarted'),
  }
  const framePolicy = [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
    `frame-src ${origins.pages}; frame-ancestors 'none'`,
  ].join('; ')
  const beginPolicy = `default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${origins.frame}`
  // What the worker itself may fetch: the captures of its origin.
  const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"
  const script = (policy: string, text: RewrittenFile['text']) => ({
    mediaType: 'text/javascript; charset=utf-8',
    policy,
    text,
  })
  const html = (policy: string, text: RewrittenFile['text']) => ({
    mediaType: 'text/html; charset=utf-8',
    policy,
    text,
  })
  return {
    frame: new Map([
      ['/', html(framePolicy, () => framePage(proxy))],
      ['/frame.js', script(framePolicy, () => frameScript(origins, texts))],
      ['/frame.css', { mediaType: 'text/css; charset=utf-8', policy: framePolicy, text: () => frameStyle }],
    ]),
    pages: new Map([
      ['/', html(beginPolicy, beginPage)],
      ['/begin.js', script(beginPolicy, () => beginScript(texts))],
      ['/worker.js', script(workerPolicy, () => workerScript(origins))],
      ['/engine.js', script(workerPolicy, () => readFile(engineFile(), 'utf8'))],
    ]),
  }
}

/** The script of wabac.js as its package has it. It is sent to the browser, and no part of Loupe imports it. */
function engineFile(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('@webrecorder/wabac'))), 'sw.js')
}

/** wabac.js gives links that open a window the name of this frame as their target. */
const frameName = '___wb_replay_top_frame'

function framePage(proxy: string): string {
  const title = escapedHtml(textFor('rewritten.title'))
  const address = escapedHtml(textFor('rewritten.address'))
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} – Loupe</title>
<link rel="stylesheet" href="/frame.css"><script type="module" src="/frame.js"></script>
<body>
<header>
<h1>${title}</h1>
<form aria-label="${address}"><input aria-label="${address}" autocomplete="off" spellcheck="false"><button>${escapedHtml(textFor('rewritten.open'))}</button></form>
<output></output>
<p>${escapedHtml(textFor('rewritten.about', { proxy }))}</p>
</header>
<noscript>${escapedHtml(textFor('rewritten.noScript'))}</noscript>
<iframe title="${escapedHtml(textFor('rewritten.frame'))}" name="${frameName}" sandbox="allow-scripts allow-same-origin allow-forms" allow="autoplay; fullscreen"></iframe>
</html>
`
}

function beginPage(): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Loupe</title>
<p role="status">${escapedHtml(textFor('rewritten.starting'))}</p>
<noscript>${escapedHtml(textFor('rewritten.noScript'))}</noscript>
<script type="module" src="/begin.js"></script>
</html>
`
}

const frameStyle = `html, body { height: 100%; margin: 0 }
body { display: flex; flex-direction: column; font: 14px/1.5 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; padding: 8px 16px; background: #fff3bf; color: #332200; border-bottom: 2px solid #8a5a00 }
h1 { font-size: 1rem; margin: 0 }
form { display: flex; flex: 1 1 26em; gap: 8px }
input { flex: 1; min-width: 0; font: inherit; padding: 4px 8px; background: #fff; color: #000; border: 1px solid #8a5a00; border-radius: 4px }
button { font: inherit; padding: 4px 12px; background: #332200; color: #fff; border: 0; border-radius: 4px; cursor: pointer }
header p { flex-basis: 100%; margin: 0; font-size: 0.9em }
iframe { flex: 1; border: 0; background: #fff }
noscript { padding: 16px }
`
