import { Command as Program } from 'commander'
import { expect, test } from 'vitest'
import { groupsFor, verbGroups } from './verbGroups.ts'

test.each(verbGroups.map((group) => [group.verbs.join(', '), group] as const))(
  'the group of %s declares these verbs and no others',
  async (_, { verbs, add }) => {
    const program = new Program('loupe')
    await add(program, () => Promise.resolve())
    expect(program.commands.map((verb) => verb.name())).toEqual(verbs)
  },
)

const lines: [line: string, declared: readonly string[] | 'all'][] = [
  ['index a.warc.gz', ['check', 'index', 'records']],
  ['--json --archive check jobs', ['jobs', 'job']],
  ['--archive=check queue 1', ['queue']],
  ['index --help', ['check', 'index', 'records']],
  ['completion bash', 'all'],
  ['--help', 'all'],
  ['--version', 'all'],
  ['help index', 'all'],
  ['idnex a.warc.gz', 'all'],
  ['--archive', 'all'],
  ['', 'all'],
]
test.each(lines)('"loupe %s" declares %j', (line, declared) => {
  const groups = groupsFor(line.split(' '))
  if (declared === 'all') expect(groups).toBe(verbGroups)
  else expect(groups.flatMap(({ verbs }) => verbs)).toEqual(declared)
})
