/** Makes `--job` and `--jobs` mean the same for every verb that has one of them. Verbs declare `--jobs`. */
import type { Command as Program } from 'commander'

/** Adds the second name to the option of every verb that has one. */
export function acceptJobAndJobs(program: Program): void {
  for (const option of program.options.filter(({ long }) => long === '--jobs')) {
    // The parser compares arguments with both names; the second need not be one letter long.
    option.short = '--job'
    option.flags = `--job, ${option.flags}`
  }
  program.commands.forEach(acceptJobAndJobs)
}
