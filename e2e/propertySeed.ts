/** Sets the seed of the property tests. By default every run tries the same cases, so that a failure can be repeated and does not
 *  appear at random in an unrelated run. `LOUPE_PROPERTY_SEED=chance` tries other cases at every run, to search for failures; a
 *  number tries the cases of that seed. */
import fc from 'fast-check'

const wanted = process.env['LOUPE_PROPERTY_SEED']
if (wanted !== 'chance') fc.configureGlobal({ seed: Number(wanted ?? 1) })
