/** The viewer when the disk with the database is full: it still shows captures, and commands that cannot be stored report the reason. */
import { expect, test } from 'vitest'
import { createArchive } from '../../indexes/testing/archiveFixture.ts'
import { askOver, failuresTo, viewerOver } from '../testing/viewerFixture.ts'

test('pages, status and findings are available, and a command that cannot be stored reports the reason and has no effect', async () => {
  const page = { url: 'http://site.example/', at: '2021-01-01T00:00:00Z', body: 'still here' }
  await using made = await createArchive()
  await made.add({ name: '1-1.warc.gz', job: 1, rows: [page] })
  const failures: string[] = []
  const viewer = await viewerOver(made, { onProblem: failuresTo(failures) })
  try {
    const shown = await viewer.open({ jobs: [1], moment: { kind: 'newest' }, withinMs: undefined })
    const pagesMax = (pages: number) => made.store.statement(`PRAGMA max_page_count = ${pages}`).get({})
    const ask = (url: string) => askOver(viewer.proxy, url)
    const as = { user: viewer.commandUser, password: viewer.commandToken }
    const command = async (path: string) => {
      const { status, body } = await askOver(viewer.proxy, `http://${viewer.commandHost}${path}`, { as })
      return { status, text: body.toString() }
    }
    const back = encodeURIComponent('http://site.example/')
    // SQLite cannot limit the file to less than its present size. It then reports a full disk.
    pagesMax(1)

    expect((await ask(page.url)).body.toString()).toBe('still here')
    const missing = Array.from({ length: 200 }, (_, at) => `http://site.example/missing-${at}/${'x'.repeat(2000)}`)
    for (const url of missing) expect((await ask(url)).status).toBe(404)
    expect(viewer.misses(shown.view).map(({ url }) => url)).toEqual(missing)
    const status = JSON.parse((await command('/getStatus?format=json')).text) as unknown
    expect(status).toMatchObject({ view: { misses: 200, errors: 0 } })
    expect((await command('/getRecordedURIs')).text).toBe(`${missing.toSorted().join('\n')}\n`)
    expect(failures).toEqual(['viewer.problem.findings'])

    // The list of jobs, most of which do not exist, does not fit on the disk.
    const jobs = Array.from({ length: 2000 }, (_, at) => `&jobID=${at + 1}`).join('')
    const changed = await command(`/changeIndex?label=all${jobs}&returnURL=${back}`)
    expect(changed.status).toBe(507)
    expect(changed.text).toMatch(
      /^There is no space left for the database .*\. Free some space and start Loupe again\.\n$/,
    )
    expect(viewer.current()?.view).toBe(shown.view)

    pagesMax(1_000_000)
    expect((await command(`/changeIndex?label=all${jobs}&returnURL=${back}`)).status).toBe(303)
    expect(viewer.misses(shown.view)).toHaveLength(missing.length)
  } finally {
    await viewer.close()
  }
})
