/** Property tests try the same cases at every run, so that one which fails fails again and one which passes does not fail
 *  somebody else's run. `LOUPE_PROPERTY_SEED=chance` tries others each time, a number those of that seed: that is how to hunt. */
import fc from 'fast-check'

const wanted = process.env['LOUPE_PROPERTY_SEED']
if (wanted !== 'chance') fc.configureGlobal({ seed: Number(wanted ?? 1) })
