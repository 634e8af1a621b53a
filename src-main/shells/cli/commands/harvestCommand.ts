/** Options that define a harvest: those of `loupe harvest`, and of `loupe job edit`, which changes one. */
import { Option, type Command as Program } from 'commander'
import { hopModes, scopes } from '../../../contract/shapes/choices.ts'
import { addConnectorOptions } from './connectorCommand.ts'
import { addRecheckOptions } from '../input/recheckOptions.ts'
import * as word from '../input/optionValues.ts'

export function addHarvestOptions(verb: Program): Program {
  return addRecheckOptions(addConnectorOptions(verb))
    .addOption(new Option('--scope <scope>', 'which pages belong to it (default: "host")').choices(scopes))
    .option('--name <name>', 'what to call the harvest (default: its first host)')
    .option('--max-hops <n>', 'how many links a page may be away from a seed', word.whole)
    .option(
      '--hop-limit <type=n>',
      'how many links of a type may lie on the shortest way, as in redirect=5; may be given several times',
      word.hopLimit,
    )
    .addOption(
      new Option(
        '--hop-mode <mode>',
        'whether links that have vanished make pages farther away (default: "accurate")',
      ).choices(hopModes),
    )
    .option('--max-objects <n>', 'stop after this many documents', word.positive)
    .option('--max-bytes <size>', 'stop after this much, as in 500MB or 2GB', word.positiveSize)
    .option(
      '--max-seconds <time>',
      'stop a run after this time, as in 90s, 30m or 2h, not counting pauses and time in which the machine is suspended',
      word.seconds,
    )
    .option('--workers <n>', 'documents fetched at the same time (default: harvest.workers)', word.positive)
    .option(
      '--delay-ms <time>',
      'pause between two requests to one host, as in 500 or 2s (default: harvest.delayMs)',
      word.delayMs,
    )
    .option(
      '--throttle <re=limits>',
      'bound each host that matches: 30 is requests a minute, fetches:30,connections:2,bytes:50kB more; may be given several times',
      word.throttleRule,
    )
    .option('--connections-per-host <n>', 'requests to one host at the same time', word.positive)
    .addOption(
      new Option('--robots <policy>', 'what to do about robots.txt (default: "obey")').choices(['obey', 'ignore']),
    )
    .option('--include <re>', 'pages must match this; may be given several times', word.patterns)
    .option('--exclude <re>', 'never fetch what matches this; may be given several times', word.patterns)
    .option('--user-agent <s>', 'how the harvester presents itself (default: harvest.userAgent)')
    .option('--login <file>', 'log in as this JSON file says; it names a credential and holds none')
    .option('--schedule <file>', 'do not start now, but as this JSON file says: records of days and hours')
    .option('--resolve <host=address>', 'where this host is, instead of asking the resolver', word.hostAddress)
}
