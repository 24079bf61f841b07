/**
 * Recognises text that people should not send in a chat. The check runs in the browser, so nothing leaves the device.
 */
import { toIban } from '@potluck/supabase/iban'

export type Risk = 'password' | 'iban' | 'card' | 'phone' | 'link'

const RULES: readonly [Risk, (text: string, site: string) => boolean][] = [
  ['password', hasPassword],
  ['iban', hasIban],
  ['card', hasCardNumber],
  ['link', hasLinkElsewhere],
  ['phone', hasPhoneNumber],
]

/** Returns the most serious risk in a text, or null. Links to the host `site` are not a risk. */
export function riskIn(text: string, site: string): Risk | null {
  return RULES.find(([, applies]) => applies(text, site))?.[0] ?? null
}

// The word after "password:" counts as a secret. The word after "password " does too, unless it merely continues the
// sentence.
const NAME = /\b(?:pass(?:word|wd|code|phrase)?s?|pw|codes?)\b(?:['’]s\b)?/giu
const NEXT = /^(?:\s+(?:is|was)\b)?(\s*[:=]\s*|\s+)["'“‘]?(\S+)/iu
const GOES_ON = new Set(
  `a about again also an and any are as at back be because been before broken but by came can cannot change changed changes come comes
  correct could currently did different do does doesn't doesnt done easy enough expired expires field fine for forgotten from gets gone
  good great guessed had has hasn't have he her here him i if in into invalid is isn't it it's its just keeps known later leaked like
  long longer lost manager managers may me might missing must my needed new no not now of off ok okay old on once only or our out over
  page please ready required reset safe same saved secure seen sent set shared sharing she short shorter should since so still stolen
  stored strong stronger that the their them then there they this through to today together tomorrow too until up updated us used
  was wasn't we weak were what when where which who why will with without won't word works would wrong yes yesterday yet you
  your`.split(/\s+/),
)

function hasPassword(text: string): boolean {
  return [...text.matchAll(NAME)].some(({ index, 0: name }) => {
    const rest = text.slice(index + name.length)
    const [, between = '', next = ''] = NEXT.exec(rest) ?? []
    const word = bare(next)
    return (word !== '' && (/[:=]/u.test(between) || !goesOn(word))) || comesLater(rest)
  })
}

const bare = (written: string) => written.replace(/^["'“‘(]+|[.,;:=!?)"'”’]+$/gu, '')
const goesOn = (word: string) => word === '' || GOES_ON.has(word.toLowerCase().replace('’', "'"))

const FARTHEST = 12
const GIVES = /^(?:is|was|are|be)$|['’]s$|[:=→]$|^[-=]+>$/iu
const STILL_GIVES = /^(?:now|still|again|just|only|currently)$/iu
const CHANGED = /^(?:changed|reset|set|updated|back|now)$/iu

/** The start of a sentence that is still about the password mentioned before. */
const ABOUT_IT = /^(?:it\b|now\b|(?:the )?new\b)/iu

/** True if the password comes later in the sentence: "password changed, it is sunshine". */
function comesLater(rest: string): boolean {
  const near = rest.trim().split(/\s+/u).slice(0, FARTHEST)
  if (near.map(bare).some(looksSecret)) return true
  const [sentence = '', next = ''] = near.join(' ').split(/(?<=[.!?]["'”’)]*) /u)
  return isGivenIn(sentence) || (ABOUT_IT.test(next) && isGivenIn(next))
}

function isGivenIn(sentence: string): boolean {
  let given = false
  let isPlain = true
  return sentence.split(' ').some((written, n, all) => {
    const word = bare(written)
    const isGiven = given && !goesOn(word) && (isPlain || n === all.length - 1)
    given =
      GIVES.test(written) ||
      (given && STILL_GIVES.test(word)) ||
      (word === 'to' && CHANGED.test(bare(all[n - 1] ?? '')))
    isPlain &&= goesOn(word)
    return isGiven
  })
}

/**
 * True for a mix of characters that no ordinary word or number has. Links and email addresses are excluded, since they
 * have such characters too.
 */
const looksSecret = (word: string) =>
  !/[/]|@.+\./u.test(word) &&
  (/^(?=.*\p{L})(?=.*\d).{6,}$/u.test(word) || /\p{L}[!#$%^&*@~]\p{L}/u.test(word) || /^\d{6,8}$/u.test(word))

const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu
const SHORTEST_IBAN = 15
const LONGEST_IBAN = 34

/** An IBAN's length depends on the country, and a word may follow it, so every possible length is tried. */
function hasIban(text: string): boolean {
  return [...text.matchAll(IBAN_START)].some(({ index }) => {
    const run = /^[A-Z0-9](?:[\s./\p{Pd}\p{Cf}]{0,3}[A-Z0-9])*/iu.exec(text.slice(index))?.[0] ?? ''
    let signs = ''
    for (const [place, sign] of [...run].entries()) {
      if (/[A-Z0-9]/iu.test(sign)) signs += sign
      if (signs.length > LONGEST_IBAN) return false
      const isWhole = !/[A-Z0-9]/iu.test(run[place + 1] ?? '')
      if (isWhole && signs.length >= SHORTEST_IBAN && toIban(signs.toUpperCase())) return true
    }
    return false
  })
}

// All card numbers begin with these digits and have these lengths.
const CARD = /(?<![\p{L}\p{N}]|\d[ \-\u00a0])[2-6]\d{3}(?:[ \-\u00a0]?\d){9,15}(?![\p{L}\p{N}])/gu

function hasCardNumber(text: string): boolean {
  return [...text.matchAll(CARD)].some(([found]) => passesLuhn(found.replace(/\D/gu, '')))
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = place % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

// Phone numbers: with a country code, or with a leading zero. Dates may begin with a zero too.
const PHONE = /(?<![\p{L}\p{N}.,/-]|\d )(?:\+|0)[\d ()/.\-\u00a0]{7,24}\d(?![\p{L}\p{N}])/gu
const DAY = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/u
const FEWEST_DIGITS = 8
const MOST_DIGITS = 15

function hasPhoneNumber(text: string): boolean {
  return [...text.matchAll(PHONE)].some(([found]) => {
    const { length } = found.replace(/\D/gu, '')
    return length >= FEWEST_DIGITS && length <= MOST_DIGITS && !DAY.test(found)
  })
}

// Links: with a scheme, with www, or a host name followed by a path.
const LINK =
  /\bhttps?:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+|(?<![\p{L}\p{N}@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,}\/[^\s<>"]*/giu

function hasLinkElsewhere(text: string, site: string): boolean {
  return [...text.matchAll(LINK)].some(([found]) => {
    const address = /^https?:/iu.test(found) ? found : `https://${found}`
    return URL.canParse(address) && new URL(address).host !== site
  })
}
