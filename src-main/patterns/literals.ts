/** Finds which of many literals a text contains in one pass (Aho and Corasick, 1975). Patterns are matched only
 *  against texts that contain a literal which every match contains. This avoids nearly all of the work: a harvest
 *  has hundreds of patterns, and hardly any of them matches a given URL. Case is ignored, so that one automaton
 *  serves all patterns; surplus results are removed by matching the pattern itself. */
import { literalCharactersMax } from './limits.ts'

/** A compiled set of literals. The automaton has a node for each beginning of a literal; reading a character leads
 *  to the node of the longest beginning that the text ends with. */
export interface LiteralFinder {
  /** Sets `found` to 1 for every group with a literal that the text contains. */
  mark(text: string, found: Uint8Array): void
}

/** Number of ASCII characters. */
const asciiCount = 128
/** The only non-ASCII characters whose case folding is an ASCII letter, s and k (CaseFolding.txt of Unicode,
 *  statuses C and S). */
const [longS, kelvinSign] = [0x017f, 0x212a]

/** Returns the ASCII character that a character is compared with; 0 when there is none. */
function asciiOf(code: number): number {
  if (code < asciiCount) return code
  return code === longS ? 0x73 : code === kelvinSign ? 0x6b : 0
}

/** Builds a finder. `groups` are the literals of each group, in ASCII; a group without literals is never found. */
export function literalFinder(groups: readonly (readonly string[])[]): LiteralFinder {
  const { ofAscii, classes } = classesOf(groups)
  const trie = trieOf(groups, ofAscii)
  const nodes = trie.length
  /** Next node for each node and class of characters. */
  const next = new Int32Array(nodes * classes)
  /** Longest proper suffix of each node that is a node too. */
  const suffix = new Int32Array(nodes)
  /** 1 when the node or one of its suffixes ends a literal. */
  const ends = new Uint8Array(nodes)
  for (let order = [0]; order.length > 0;) {
    const deeper: number[] = []
    for (const node of order) {
      const { children, ended } = trie[node] ?? leaf()
      const shorter = suffix[node] ?? 0
      ends[node] = ended.length > 0 || ends[shorter] === 1 ? 1 : 0
      for (let at = 1; at < classes; at += 1) {
        const child = children.get(at)
        const ofShorter = node === 0 ? 0 : (next[shorter * classes + at] ?? 0)
        next[node * classes + at] = child ?? ofShorter
        if (child === undefined) continue
        suffix[child] = ofShorter
        deeper.push(child)
      }
    }
    order = deeper
  }

  function markEnded(node: number, found: Uint8Array): void {
    for (let at = node; at !== 0 && ends[at] === 1; at = suffix[at] ?? 0)
      for (const group of trie[at]?.ended ?? []) found[group] = 1
  }

  return {
    mark(text, found) {
      let node = 0
      for (let at = 0; at < text.length; at += 1) {
        node = next[node * classes + (ofAscii[asciiOf(text.charCodeAt(at))] ?? 0)] ?? 0
        if (ends[node] === 1) markEnded(node, found)
      }
    },
  }
}

/** A node of the trie of all literals. */
interface TrieNode {
  children: Map<number, number>
  /** Groups with a literal that ends at this node. */
  ended: number[]
}

/** Assigns classes to characters. Characters that occur in no literal have class 0, with which matching starts
 *  again. */
function classesOf(groups: readonly (readonly string[])[]): { ofAscii: Uint8Array; classes: number } {
  const ofAscii = new Uint8Array(asciiCount)
  let classes = 1
  for (const character of new Set(groups.flat().flatMap((literal) => [...folded(literal)]))) {
    ofAscii[character.charCodeAt(0)] = classes
    ofAscii[character.toUpperCase().charCodeAt(0)] = classes
    classes += 1
  }
  return { ofAscii, classes }
}

/** Builds the trie. Node 0 is its root. */
function trieOf(groups: readonly (readonly string[])[], ofAscii: Uint8Array): TrieNode[] {
  const trie = [leaf()]
  for (const [group, literals] of groups.entries()) {
    for (const literal of literals) {
      let node = trie[0] ?? leaf()
      for (const character of folded(literal)) {
        const at = ofAscii[character.charCodeAt(0)] ?? 0
        const child = node.children.get(at) ?? trie.push(leaf()) - 1
        node.children.set(at, child)
        node = trie[child] ?? leaf()
      }
      node.ended.push(group)
    }
  }
  return trie
}

function leaf(): TrieNode {
  return { children: new Map(), ended: [] }
}

/** Returns the part of a literal that is searched for, in lower case. */
function folded(literal: string): string {
  return literal.slice(0, literalCharactersMax).toLowerCase()
}
