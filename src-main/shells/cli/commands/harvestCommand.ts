/** Options that define a harvest: those of `loupe harvest`, and of `loupe job edit`, which changes one. */
import type { Command as Program } from 'commander'
import { hopModes, orders, scopes } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { addConnectorOptions } from './connectorCommand.ts'
import { addDeduplicationOptions } from '../input/deduplicationOptions.ts'
import { addRecheckOptions } from '../input/recheckOptions.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

export function addHarvestOptions(verb: Program): Program {
  return addDeduplicationOptions(addRecheckOptions(addConnectorOptions(verb)))
    .addOption(choiceOption('--scope <scope>', textFor('help.harvest.scope'), scopes))
    .option('--name <name>', textFor('help.harvest.name'))
    .option('--max-hops <n>', textFor('help.harvest.maxHops'), word.whole)
    .option('--hop-limit <type=n>', textFor('help.harvest.hopLimit'), word.hopLimit)
    .addOption(choiceOption('--hop-mode <mode>', textFor('help.harvest.hopMode'), hopModes))
    .option('--max-objects <n>', textFor('help.harvest.maxObjects'), word.positive)
    .option('--max-bytes <size>', textFor('help.harvest.maxBytes'), word.positiveSize)
    .option('--max-seconds <time>', textFor('help.harvest.maxSeconds'), word.seconds)
    .option('--max-no-response-seconds <time>', textFor('help.harvest.maxNoResponseSeconds'), word.seconds)
    .option('--max-inactive-seconds <time>', textFor('help.harvest.maxInactiveSeconds'), word.seconds)
    .option('--workers <n>', textFor('help.harvest.workers'), word.positive)
    .option('--delay-ms <time>', textFor('help.harvest.delayMs'), word.delayMs)
    .option('--throttle <re=limits>', textFor('help.harvest.throttle'), word.throttleRule)
    .option('--connections-per-host <n>', textFor('help.harvest.connectionsPerHost'), word.positive)
    .addOption(choiceOption('--order <order>', textFor('help.harvest.order'), orders))
    .addOption(choiceOption('--robots <policy>', textFor('help.harvest.robots'), ['obey', 'ignore']))
    .option('--include <re>', textFor('help.harvest.include'), word.patterns)
    .option('--exclude <re>', textFor('help.harvest.exclude'), word.patterns)
    .option('--user-agent <s>', textFor('help.harvest.userAgent'))
    .option('--login <file>', textFor('help.harvest.login'))
    .option('--schedule <file>', textFor('help.harvest.schedule'))
    .option('--resolve <host=address>', textFor('help.harvest.resolve'), word.hostAddress)
}
