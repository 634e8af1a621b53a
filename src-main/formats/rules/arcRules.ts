/** Rules of ARC files (Internet Archive, "Arc File Format", version 1.0 of 1996; 1.1 with XML in the first record,
 *  as Heritrix writes it; 2.0 with ten fields). The fields of ARC have no names, so an additional or missing one
 *  shifts all that follow. */
import type { RuleTable } from './rule.ts'

export const arcRules = {
  arcVersionBlockMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
  },
  arcVersionBlockOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
  },
  arcVersionUnknown: {
    severity: 'warning',
    clause: 'ARC 1.0, "The version block"',
  },
  arcFieldCount: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcUrlBlank: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcUrlLineEnd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"; URL Standard, 4.4',
  },
  arcUrlNotUtf8: {
    severity: 'note',
    clause: 'RFC 3986, 2.5',
  },
  arcUrlInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcIpInvalid: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcDateInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcDateOdd: {
    severity: 'warning',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcMediaTypeOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcLengthInvalid: {
    severity: 'error',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcLineEndOdd: {
    severity: 'note',
    clause: 'ARC 1.0, "The URL record definition"',
  },
  arcHttpMissing: {
    severity: 'warning',
    clause: 'ARC 1.0, "The network doc"',
  },
  arcResultCodeWrong: {
    severity: 'warning',
    clause: 'ARC 2.0, "The URL record definition"',
  },
} as const satisfies RuleTable
