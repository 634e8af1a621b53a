import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { serveSample, type SampleSite } from './sampleSite.ts'

let site: SampleSite
beforeAll(async () => {
  site = await serveSample(realWorld(), 0)
})
afterAll(() => site.close())

/** Status and media type of the response to a request target that is sent unchanged. */
function answerTo(path: string): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: site.port, path }, (response) => {
      response.resume()
      resolve([response.statusCode, response.headers['content-type']])
    })
      .on('error', reject)
      .end()
  })
}

const notFound = [404, 'text/plain; charset=utf-8']

test.each([
  ['the first page', '/', [200, 'text/html; charset=utf-8']],
  ['a page with a query', '/index.html?x=1', [200, 'text/html; charset=utf-8']],
  ['a missing file', '/absent.html', notFound],
  ['the folder above', '/../sample/index.html', notFound],
  ['the folder above, encoded', '/%2e%2e/%2e%2e/package.json', notFound],
  ['a folder without a slash', '/..%2f..%2fpackage.json', notFound],
  ['an incomplete percent-encoding', '/%', notFound],
  ['a target that is not a URL', '//', notFound],
])('answers a request for %s', async (_, path, expected) => {
  expect(await answerTo(path)).toEqual(expected)
})
