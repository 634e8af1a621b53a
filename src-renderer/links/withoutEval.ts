/** Tells the schema library not to try `new Function`: our content security policy refuses it, and the browser reports even
 *  the caught attempt. Schemas look at this once, when they are made: this file must be the first import of `main.tsx`. */
import { config } from 'zod'

config({ jitless: true })
