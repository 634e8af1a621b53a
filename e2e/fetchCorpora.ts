/** Fetches the sample archive files that some tests read (`npm run corpora [-- --from URL --to DIR]`) from their public repositories,
 *  each at a fixed commit, and verifies their SHA-256 (`corpora.json`). Files that are already present and correct are kept. `--from`
 *  names another server with the layout of raw.githubusercontent.com. The exit code is 1 when a file is missing at the end. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { fetchedCorpora } from '../src-main/formats/testing/corpora.ts'
import { messageOf } from '../src-main/contract/text/messageOf.ts'

/** A row of `corpora.json`: files of a GitHub repository at one commit. */
interface Repository {
  repository: string
  commit: string
  files: { path: string; bytes: number; sha256: string }[]
}

/** Time limit for one file; the largest file has 3 MB. */
const fetchMsMax = 60_000
/** After this many failures in a row the server is considered unreachable. */
const failuresMax = 3

const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
const from = values.from ?? 'https://raw.githubusercontent.com'
const folder = values.to ?? fetchedCorpora
const repositories = JSON.parse(readFileSync(join(import.meta.dirname, 'corpora.json'), 'utf8')) as Repository[]

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Fetches one file unless it is present and correct. Returns why the file is missing; undefined when it is present. */
async function obtain(url: string, path: string, sha256: string): Promise<string | undefined> {
  if (existsSync(path) && sha256Of(readFileSync(path)) === sha256) return undefined
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchMsMax) })
    if (!response.ok) return `the server answered ${response.status}`
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (sha256Of(bytes) !== sha256) return 'its checksum differs from the recorded one'
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.part`, bytes)
    renameSync(`${path}.part`, path)
    return undefined
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return messageOf(cause)
  }
}

const files = repositories.flatMap(({ repository, commit, files: listed }) =>
  listed.map(({ path, sha256 }) => ({
    url: `${from}/${repository}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`,
    path: join(folder, repository.replace('/', '+'), path),
    sha256,
  })),
)
let present = 0
let failuresInARow = 0
for (const { url, path, sha256 } of files) {
  const problem = await obtain(url, path, sha256)
  if (problem === undefined) {
    present += 1
    failuresInARow = 0
    continue
  }
  console.error(`${url}: ${problem}`)
  failuresInARow += 1
  if (failuresInARow < failuresMax) continue
  console.error(
    `Gave up: ${from} cannot be reached. Tests that need these files are skipped; all others run without them.`,
  )
  break
}
console.log(`${present} of ${files.length} sample files are in ${folder}.`)
process.exitCode = present === files.length ? 0 : 1
