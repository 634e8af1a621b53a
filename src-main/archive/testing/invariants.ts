/** The four invariants that are checked after every fault: no good copy was damaged; no bad copy counts as good; every problem is
 *  reported; and repair restores every file that has a good copy, and otherwise says so and changes nothing. The replicas' contents
 *  are read directly, not through the archive, and compared with the expected content. Each violation is returned as a sentence. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { textOf } from '../../contract/words/render.ts'
import type { ArchivedFile } from '../../contract/services/archivedFiles.ts'
import type { ArchiveStatus } from '../../contract/services/archiveStatus.ts'
import { isGoodCopy, isStoredCopy } from '../../contract/states/copyStates.ts'
import type { Disk, ReadableFile } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { ArchiveFixture } from './archiveFixture.ts'
import { checksumFileName, wrongEntriesName } from '../replica/checksumFile.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import { reportCsv } from '../report/reportCsv.ts'
import { reportHtml } from '../report/reportHtml.ts'

/** The archive under test and what is expected of it. */
export interface Asked {
  kept: ArchiveFixture
  /** Expected content of the files, by name. */
  truth: ReadonlyMap<string, string>
  /** Paths of sources that still exist outside of the replicas, by name. */
  sources: ReadonlyMap<string, string>
  /** Whether checks are run by the user or by the schedule. */
  checkedBy?: 'user' | 'schedule'
  /** Names of replicas that are unavailable until `heal` is called. */
  away?: readonly string[]
  /** Ends the lasting fault. */
  heal?: () => void | Promise<void>
  /** Whether the archive already knows of all damage, so that its states must be right before the next check. */
  isKnown?: boolean
}

/** Contents of the replicas by path, without marks and temporary files. */
export type OnDisk = ReadonlyMap<string, string>
type Copy = 'good' | 'bad' | 'absent'

const bytesMax = 10_000_000
const never = new AbortController().signal
/** Maximum number of repair rounds: one repaired copy may make another one repairable. */
const roundsMax = 4

/** Checks all invariants and returns the violations as sentences; empty when there are none. Runs checks and repairs. */
export async function invariants(asked: Asked): Promise<string[]> {
  const { kept, heal, away = [] } = asked
  const before = await filesOnDisk(kept.world.disk, kept.places)
  const sentences = asked.isKnown ? trusted(asked, before, 'before any reading') : []
  await check(asked)
  sentences.push(...(await askWhileItIs(asked, away)))
  sentences.push(...harmed(asked, before, await filesOnDisk(kept.world.disk, kept.places)))
  if (heal) {
    await heal()
    await check(asked)
    sentences.push(...(await askWhileItIs(asked, [])))
  }
  const broken = await filesOnDisk(kept.world.disk, kept.places)
  sentences.push(...(await repairAll(asked)))
  sentences.push(...harmed(asked, broken, await filesOnDisk(kept.world.disk, kept.places)))
  await check(asked)
  sentences.push(...(await askWhileItIs(asked, [])), ...(await askInTheEnd(asked)))
  return sentences
}

async function filesOnDisk(disk: Disk, places: readonly ReplicaPlace[]): Promise<OnDisk> {
  const files = new Map<string, string>()
  for (const { folder } of places) {
    for (const inner of [folder, join(folder, 'attic')]) {
      if ((await disk.stat(inner))?.kind !== 'folder') continue
      for (const { name, kind } of await disk.list(inner))
        if (kind === 'file' && !name.startsWith('.'))
          files.set(join(inner, name), await textAt(disk, join(inner, name)))
    }
  }
  return files
}

async function textAt(disk: Disk, path: string): Promise<string> {
  return Buffer.from(await disk.read(path, bytesMax)).toString('latin1')
}

/** SHA-256 of a text in Latin-1, in hex. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

function copyOf(onDisk: OnDisk, { folder, kind }: ReplicaPlace, name: string, text: string): Copy {
  if (kind !== 'checksums') {
    const content = onDisk.get(join(folder, name))
    return content === undefined ? 'absent' : content === text ? 'good' : 'bad'
  }
  const sums = entriesIn(onDisk.get(join(folder, checksumFileName))).filter((entry) => entry.name === name)
  if (sums.length === 0) return 'absent'
  return sums.every(({ sha256 }) => sha256 === sha256Of(text)) ? 'good' : 'bad'
}

/** Complete entries of a checksum list in the format of sha256sum. */
function entriesIn(text = ''): { sha256: string; name: string }[] {
  return [...text.matchAll(/^([0-9a-f]{64}) [ *](.+)\n/gm)].map(([, sha256 = '', name = '']) => ({ sha256, name }))
}

async function check({ kept, checkedBy = 'user' }: Asked): Promise<void> {
  if (checkedBy === 'schedule') return kept.daysPass()
  for (const kind of ['missing', 'checksums'] as const) {
    const { task: check } = await kept.preservation.check({ kind })
    await kept.preservation.ended(check)
  }
  await kept.spotChecks.run({ files: 100, by: 'user' })
}

/** First invariant: everything is still in place, or was bad and is in the attic of its replica. */
function harmed({ kept, truth }: Asked, before: OnDisk, after: OnDisk): string[] {
  const known = new Set([...truth].map(([name, text]) => `${sha256Of(text)}  ${name}`))
  return kept.places.flatMap((place) => {
    const here = [...before].filter(([path]) => path.startsWith(`${place.folder}/`))
    const attic = [...after].flatMap(([path, text]) => (path.startsWith(join(place.folder, 'attic/')) ? [text] : []))
    if (place.kind === 'checksums') {
      const sums = after.get(join(place.folder, checksumFileName)) ?? ''
      const wrong = after.get(join(place.folder, wrongEntriesName)) ?? ''
      return here.flatMap(([path, text]) =>
        entriesIn(text).flatMap(({ sha256, name }) => {
          const line = `${sha256}  ${name}`
          if (sums.includes(line) || (wrong.includes(line) && !known.has(line))) return []
          return [`Harmed: ${path} no longer says ${line}.`]
        }),
      )
    }
    return here.flatMap(([path, text]) => {
      const name = path.slice(place.folder.length + 1)
      if (after.get(path) === text || (truth.get(name) !== text && attic.includes(text))) return []
      return [`Harmed: ${path} is no longer what it was, and ${place.folder}/attic has not got it.`]
    })
  })
}

function usedBy({ kept }: Asked, away: readonly string[]): ReplicaPlace[] {
  return kept.places.filter(({ name }) => !away.includes(name))
}

function known({ kept, truth }: Asked): { file: ArchivedFile; text: string }[] {
  return [...truth].flatMap(([name, text]) => {
    const file = kept.archive.file(name)
    return file ? [{ file, text }] : []
  })
}

/** Whether a copy is stored and not known to be bad. */
function isTrusted({ replicas }: ArchivedFile, replica: string): boolean {
  const copy = replicas.find((each) => each.replica === replica)
  return copy !== undefined && isGoodCopy(copy)
}

function trusted(asked: Asked, onDisk: OnDisk, when: string, away: readonly string[] = []): string[] {
  return known(asked).flatMap(({ file, text }) =>
    usedBy(asked, away).flatMap((place) => {
      const copy = copyOf(onDisk, place, file.name, text)
      if (copy === 'good' || !isTrusted(file, place.name)) return []
      return [`Counts as good ${when}: ${file.name} in ${place.name} is ${copy}.`]
    }),
  )
}

/** Second and third invariant, checked against everything that reports the state of a copy. */
async function askWhileItIs(asked: Asked, away: readonly string[]): Promise<string[]> {
  const { kept } = asked
  const onDisk = await filesOnDisk(kept.world.disk, kept.places)
  const status = await kept.reporting.status()
  const report = await kept.reporting.report()
  const files = known(asked)
  const places = usedBy(asked, away)
  const sentences = [
    ...trusted(asked, onDisk, 'after the check', away),
    ...kept.bugs.map((bug) => `Bug: ${String(bug)}`),
  ]
  let isWrong = away.length > 0
  for (const { file, text } of files) {
    const copies = places.map((place) => ({ place, copy: copyOf(onDisk, place, file.name, text) }))
    for (const { place, copy } of copies) {
      isWrong ||= copy !== 'good'
      const says = copy === 'good' ? ofGood(file, place) : await ofBad(asked, status, file, place)
      sentences.push(...says.map((each) => `${file.name} in ${place.name} is ${copy}: ${each}`))
    }
    sentences.push(
      ...(await ofReading(asked, file, text, copies)),
      ...(await ofStoring(asked, onDisk, file, text, away)),
    )
    const spot = kept.spotChecks.last()?.files.find(({ name }) => name === file.name)
    // Replicas that hold the same wrong bytes agree; finding that is the task of checks.
    const held = places.filter((place) => place.kind !== 'checksums' && isHeld(file, place))
    const isOne = new Set(held.map(({ folder }) => onDisk.get(join(folder, file.name)))).size === 1
    if (!isOne && spot?.verdict === 'agree') sentences.push(`Counts as good: the spot check of ${file.name} agrees.`)
  }
  for (const replica of away)
    if (status.replicas.find((row) => row.replica === replica)?.reachable !== false)
      sentences.push(`Not named: ${replica} is away, and the status says that it is reachable.`)
  const surplus = surplusIn(asked, onDisk, places)
  isWrong ||= surplus.length > 0
  for (const { replica, name } of surplus)
    if (!status.findings.some((row) => row.finding === 'surplus' && row.replica === replica && row.name === name))
      sentences.push(`Not named: ${name} in ${replica}, which is unknown.`)
  if (isWrong) {
    if (status.fine || report.fine) sentences.push('Counts as good: the status is fine.')
    const named = status.findings.filter(
      ({ name }) => !reportCsv(report).includes(name) || !reportHtml(report).includes(name),
    )
    sentences.push(...named.map(({ name }) => `Not named: ${name}, in the report as CSV and page.`))
  }
  if (report.audit.broken !== null) sentences.push(`The audit log is broken: ${textOf(report.audit.message)}`)
  return sentences
}

function isHeld({ replicas }: ArchivedFile, { name }: ReplicaPlace): boolean {
  return replicas.some((copy) => copy.replica === name && isStoredCopy(copy))
}

function ofGood({ replicas }: ArchivedFile, place: ReplicaPlace): string[] {
  const copy = replicas.find(({ replica }) => replica === place.name)
  if (!copy || !isStoredCopy(copy) || copy.preservation === 'OK') return []
  return [`its state is ${copy.preservation} after a check`]
}

async function ofBad(asked: Asked, status: ArchiveStatus, file: ArchivedFile, place: ReplicaPlace): Promise<string[]> {
  const { archive, repairs, copyStatus } = asked.kept
  const says: string[] = []
  const row = status.replicas.find(({ replica }) => replica === place.name)
  if (!row || row.missing + row.corrupt + row.notStored === 0) says.push('the card of its replica counts nothing wrong')
  const opened = await archive.readableFrom(place.name, file.name).catch(faultOnly)
  if (!(opened instanceof ArchiveFault)) {
    await opened.file.close()
    says.push('its bytes are given')
  }
  const vote = copyStatus.voteOn(file.name)
  const isRight = vote?.copies.find(({ replica }) => replica === place.name)?.verdict === 'right'
  if (isRight && vote.registeredVerdict !== 'wrong') says.push('the vote says that it is right')
  const isFound = status.findings.some(({ replica, name }) => replica === place.name && name === file.name)
  const copy = file.replicas.find(({ replica }) => replica === place.name)
  const isSaid = copy?.upload === 'UPLOAD_FAILED' && copy.problem !== null
  const isNeverTried = !copy && row !== undefined && row.notStored > 0
  if (!isFound && !isSaid && !isNeverTried) says.push('no finding and no problem names it')
  if (!repairs.repairable({}).some(({ replica, name }) => replica === place.name && name === file.name))
    says.push('it is not among what can be repaired')
  return says
}

function faultOnly(error: unknown): ArchiveFault {
  if (error instanceof ArchiveFault) return error
  throw error
}

/** Checks what a reader of the file receives. */
async function ofReading(
  { kept }: Asked,
  { name, replicas }: ArchivedFile,
  text: string,
  copies: readonly { place: ReplicaPlace; copy: Copy }[],
): Promise<string[]> {
  const { archive, world } = kept
  const opened = await archive.openFile(name)
  const given = opened && (await contentOf(opened))
  const found = await archive.pathOfFile(name)
  const content = found && (await textAt(world.disk, found.path))
  const isToBeHad = copies.some(
    ({ place, copy }) =>
      copy === 'good' &&
      place.kind !== 'checksums' &&
      replicas.some((row) => row.replica === place.name && isStoredCopy(row)),
  )
  return [given, content].flatMap((each) => {
    if (each !== undefined && each !== text) return [`Counts as good: who asks for ${name} gets a bad copy.`]
    return each === undefined && isToBeHad ? [`Who asks for ${name} gets nothing, and there is a good copy.`] : []
  })
}

async function contentOf({ file, bytes }: { file: ReadableFile; bytes: number }): Promise<string> {
  try {
    const into = Buffer.alloc(bytes)
    return into.toString('latin1', 0, await file.read(into, 0))
  } finally {
    await file.close()
  }
}

/** Checks that a store reports bad copies: after a success the caller may delete the source. Skipped where the store would write a
 *  copy. */
async function ofStoring(
  { kept, sources, truth }: Asked,
  onDisk: OnDisk,
  { name, replicas, kind, job }: ArchivedFile,
  text: string,
  away: readonly string[],
): Promise<string[]> {
  const path = sources.get(name)
  const isCompleted = kept.places.every(({ name: place }) =>
    replicas.some((copy) => copy.replica === place && isStoredCopy(copy)),
  )
  if (path === undefined || !isCompleted || truth.get(name) !== text) return []
  const outcome = await kept.archive.store({ path, name, kind, jobId: job })
  const bad = kept.places.filter((place) => !away.includes(place.name) && copyOf(onDisk, place, name, text) !== 'good')
  const reported = outcome.state === 'failed' ? outcome.problems.map(({ replica }) => replica) : []
  return bad.flatMap((place) =>
    reported.includes(place.name) ? [] : [`Counts as good: a store of ${name} does not speak of ${place.name}.`],
  )
}

/** Files in the replicas that are not in the catalogue. */
function surplusIn(
  { kept }: Asked,
  onDisk: OnDisk,
  places: readonly ReplicaPlace[],
): { replica: string; name: string }[] {
  return places.flatMap(({ name: replica, folder, kind }) => {
    const names =
      kind === 'checksums'
        ? entriesIn(onDisk.get(join(folder, checksumFileName))).map(({ name }) => name)
        : [...onDisk.keys()]
            .filter((path) => path.startsWith(`${folder}/`))
            .map((path) => path.slice(folder.length + 1))
    return [...new Set(names)]
      .filter((name) => !name.includes('/') && !kept.archive.file(name))
      .map((name) => ({ replica, name }))
  })
}

/** Fourth invariant: each repair must have the outcome that the actual copies imply. */
async function repairAll(asked: Asked): Promise<string[]> {
  const { kept, sources, truth } = asked
  const sentences: string[] = []
  for (let round = 0; round < roundsMax; round += 1) {
    const begun = await filesOnDisk(kept.world.disk, kept.places)
    for (const copy of kept.repairs.repairable({})) sentences.push(...(await repairOne(asked, copy)))
    for (const [name, path] of sources) sentences.push(...(await storeAgain(asked, name, path, truth.get(name) ?? '')))
    if (isSame(begun, await filesOnDisk(kept.world.disk, kept.places))) break
  }
  return sentences
}

async function repairOne(asked: Asked, which: { name: string; replica: string }): Promise<string[]> {
  const { kept, truth } = asked
  const text = truth.get(which.name)
  const file = kept.archive.file(which.name)
  const target = kept.places.find(({ name }) => name === which.replica)
  if (text === undefined || !file || !target) return [`${which.name} in ${which.replica} is nothing to repair.`]
  const before = await filesOnDisk(kept.world.disk, kept.places)
  const plan = await kept.repairs.plan(which, never)
  const outcome = await kept.repairs.repair({ ...which, expected: file.sha256, found: plan.found }, never)
  const after = await filesOnDisk(kept.world.disk, kept.places)
  const which1 = `${which.name} in ${which.replica}`
  if (isMendable(asked, before, target, which.name, text)) {
    if (outcome.state !== 'REPAIRED') return [`Not repaired: ${which1}, ${outcome.state}: ${textOf(outcome.message)}`]
    return copyOf(after, target, which.name, text) === 'good' ? [] : [`Repaired and not right: ${which1}.`]
  }
  return [
    ...(isSame(before, after) ? [] : [`Changed without a good copy: ${which1}.`]),
    ...(outcome.state === 'REFUSED' && textOf(outcome.message).endsWith('Nothing was changed.')
      ? []
      : [`Not said that nothing can be repaired: ${which1}, ${outcome.state}: ${textOf(outcome.message)}`]),
  ]
}

/** Whether a repair must succeed: another replica has the good bytes, and more than half of the votes are for them. */
function isMendable({ kept }: Asked, onDisk: OnDisk, target: ReplicaPlace, name: string, text: string): boolean {
  const good = kept.places.filter((place) => copyOf(onDisk, place, name, text) === 'good')
  const canGive = good.some((place) => place.name !== target.name && place.kind !== 'checksums')
  return canGive && (1 + good.length) * 2 > kept.places.length + 1
}

async function storeAgain({ kept }: Asked, name: string, path: string, text: string): Promise<string[]> {
  const { kind, job } = kept.archive.file(name) ?? { kind: 'content' as const, job: null }
  const outcome = await kept.archive.store({ path, name, kind, jobId: job })
  const onDisk = await filesOnDisk(kept.world.disk, kept.places)
  const bad = kept.places.filter((place) => copyOf(onDisk, place, name, text) !== 'good').map((place) => place.name)
  const reported = outcome.state === 'failed' ? outcome.problems.map(({ replica }) => replica) : []
  return bad.join() === reported.join()
    ? []
    : [`A store of ${name} speaks of [${reported.join()}], and it is not right in [${bad.join()}].`]
}

/** Checks the final state: repaired files are right everywhere, and the others could not be repaired. */
async function askInTheEnd(asked: Asked): Promise<string[]> {
  const { kept, truth, sources } = asked
  const onDisk = await filesOnDisk(kept.world.disk, kept.places)
  const sentences: string[] = []
  let isWhole = surplusIn(asked, onDisk, kept.places).length === 0
  for (const [name, text] of truth) {
    const file = kept.archive.file(name)
    if (!file && sources.has(name)) sentences.push(`Not stored in the end: ${name}.`)
    isWhole &&= file !== undefined || !sources.has(name)
    for (const place of file ? kept.places : []) {
      const copy = copyOf(onDisk, place, name, text)
      if (copy === 'good' && file && isHeld(file, place)) continue
      isWhole = false
      // A stored copy that is lost is left to repair, which uses no sources from outside.
      const isLeft = copy === 'absent' && sources.has(name) && !(file && isHeld(file, place))
      if (isLeft || isMendable(asked, onDisk, place, name, text))
        sentences.push(`Not right in the end: ${name} in ${place.name} is ${copy}.`)
    }
  }
  const { fine, findings, spots } = await kept.reporting.status()
  if (isWhole !== fine)
    sentences.push(
      `In the end all is ${isWhole ? '' : 'not '}right, and the status is ${fine ? '' : 'not '}fine: ${JSON.stringify([findings, spots])}.`,
    )
  return sentences
}

function isSame(one: OnDisk, other: OnDisk): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text)
}
