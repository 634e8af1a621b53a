/** Frame of a report: one HTML page without scripts or external resources, to be read on screen and printed on A4. */
import { escapedHtml } from './escapedHtml.ts'

/** A page. `title` is text; `body` is HTML, whose text its author has escaped. */
interface Printed {
  title: string
  body: readonly string[]
  /** CSS in addition to that of all reports. */
  style?: string
}

export function printedPage({ title, body, style = '' }: Printed): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>${escapedHtml(title)}</title>
<style>${commonStyle}${style}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`
}

/** Returns a table. `heads` are texts, and cells are HTML. */
export function printedTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${escapedHtml(text)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`
}

const commonStyle = `
body { font: 11pt/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 1.6rem; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; }
th, td { border: 1px solid #999; padding: 0.2rem 0.4rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { overflow-wrap: normal; } thead { display: table-header-group; } tr { break-inside: avoid; } h2 { break-after: avoid; }
.met::before { content: '\\2713\\00a0'; } .notMet { font-weight: bold; } .notMet::before { content: '!\\00a0'; }
@media print { body { margin: 0; max-width: none; } }
`
