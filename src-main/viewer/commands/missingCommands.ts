/** Commands about a URL that the view lacks: it is added to what is missing from its jobs, or harvested at once. */
import { message, type Message } from '../../contract/words/message.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import { htmlPage, plainReply, textReply, type PageLink, type Reply } from '../model/reply.ts'
import { changing } from './changing.ts'
import type { Commands } from './commands.ts'
import { commandUrl } from '../model/commandHost.ts'

/** Makes the commands. */
export function missingCommands({ missing, allowedOrigins }: ChainParts): Commands {
  /** A page of the interface, if it is reached with a browser. */
  function inInterface(text: Message, hash: string): PageLink[] {
    const origin = allowedOrigins.find((each) => each.startsWith('http'))
    return origin === undefined ? [] : [{ text, href: `${origin}/${hash}` }]
  }

  return {
    '/addMissing': {
      parameters: ['url'],
      ...changing(async ({ shown, caller }, { url = '' }) => {
        const jobs = shown?.view.jobs ?? []
        if (jobs.length === 0) return plainReply(409, message('viewer.command.noJobs'))
        await missing.add(caller, jobs, url)
        const links = inInterface(message('viewer.added.open'), `#/missing?jobs=${jobs.join(',')}`)
        return page({ title: message('viewer.added.title'), text: [message('viewer.added.text')], url, links })
      }),
    },
    '/harvestNow': {
      parameters: ['url'],
      ...changing(async ({ shown, caller }, { url = '' }) => {
        const jobs = shown?.view.jobs ?? []
        if (jobs.length === 0) return plainReply(409, message('viewer.command.noJobs'))
        const { job, patches } = await missing.harvest(caller, jobs, url)
        const again = jobs.map((each) => ['jobID', String(each)] as const)
        const links = [
          ...inInterface(message('viewer.harvested.job', { job }), `#/jobs/${job}`),
          {
            text: message('viewer.harvested.again'),
            href: commandUrl('changeIndex', [...again, ['label', `jobs ${jobs.join(', ')}`], ['returnURL', url]]),
          },
        ]
        const text = [message('viewer.harvested.text', { job, patches })]
        return page({ title: message('viewer.harvested.title', { job }), text, url, links })
      }),
    },
  }
}

function page(about: Parameters<typeof htmlPage>[0]): Reply {
  return textReply({ status: 200, text: htmlPage(about), mediaType: 'text/html' })
}
