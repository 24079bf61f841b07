/** Finds links in a message. Only https URLs become links. */

export interface Part {
  /** The start of the part in the text. */
  at: number
  text: string
  /** The URL, if the part is a link. */
  href?: string
}

// A URL ends at white space, a quote, an angle bracket, or a mark that changes the reading direction.
const ADDRESS = /https:\/\/[^\s<>"\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu
const CLOSING = /[.,:;!?'\u2019\u201d*_~]$/u
const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/** Splits a text into parts with and without links. Joining the parts gives the text again. */
export function linkParts(text: string): Part[] {
  const parts: Part[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutSentenceEnd(found)
    if (!isSafe(address)) continue
    if (index > done) parts.push({ at: done, text: text.slice(done, index) })
    parts.push({ at: index, text: address, href: address })
    done = index + address.length
  }
  if (done < text.length) parts.push({ at: done, text: text.slice(done) })
  return parts
}

/** Cuts off final punctuation, and a closing bracket whose opening bracket is before the URL. */
function withoutSentenceEnd(found: string): string {
  const stray = PAIRS.some(
    ([open, close]) => found.endsWith(close) && count(found, close) > count(found, open),
  )
  return stray || CLOSING.test(found) ? withoutSentenceEnd(found.slice(0, -1)) : found
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** False for a URL with a user name before an @, which could be mistaken for the host. */
function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.')
  )
}
