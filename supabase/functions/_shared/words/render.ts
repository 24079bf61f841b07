// Renders translated messages, as parsed by Lingui's compiler, in a person's language.
import { digitsOf } from '../currency.ts'

/** A text, or a placeholder: the name of a parameter, with a choice between forms, or with "date" for only the day. */
export type Token =
  | string
  | [name: string, kind?: string, forms?: Record<string, Message | number | undefined>]
export type Message = string | Token[]

export interface Reader {
  /** A BCP 47 tag. */
  language: string
  /** An IANA time zone; the default is that of the machine. */
  zone?: string | undefined
}
type Params = Record<string, unknown>

/** Returns the text of a message; null if the message names a parameter that is missing. */
export function render(message: Message, params: Params, reader: Reader): string | null {
  try {
    return fill(message, params, reader)
  } catch (error) {
    if (error instanceof Missing) return null
    throw error
  }
}

class Missing extends Error {}

const fill = (message: Message, params: Params, reader: Reader, count = ''): string =>
  typeof message === 'string'
    ? message
    : message.map((token) => (token === '#' ? count : sayToken(token, params, reader, count))).join('')

function sayToken(token: Token, params: Params, reader: Reader, count: string): string {
  if (typeof token === 'string') return token
  const [name, kind, forms = {}] = token
  const value = params[name]
  if (value === undefined || value === null) throw new Missing(name)
  if (kind === undefined) return inWords(name, value, params.currency, reader)
  if (kind === 'date') return sayTime(value, reader, inZone({ day: 'numeric', month: 'long' }, reader))
  const isPlural = kind === 'plural'
  // The keys of forms have underscores in place of hyphens.
  const exact = String(value).replaceAll('-', '_')
  const rule = isPlural ? new Intl.PluralRules(reader.language).select(Number(value)) : exact
  const chosen = forms[exact] ?? forms[rule] ?? forms.other
  if (chosen === undefined || typeof chosen === 'number') throw new Missing(name)
  const counted = isPlural ? sayNumber(value, reader) : count
  return fill(chosen, params, reader, counted)
}

const MONEY = new Set(['amount', 'cost', 'share', 'fee', 'rest'])
const moneyIn = (currency: string, { language }: Reader): Intl.NumberFormatOptions => {
  const digits = digitsOf(currency)
  return {
    ...{ style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits },
    ...(language === 'en' && currency !== 'EUR' && { currencyDisplay: 'code' }),
  }
}
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const MOMENT = {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZoneName: 'short',
} as const

// English is formatted as in the database (private.render_param), so that a mail says the same as its notification.
const localeOf = ({ language }: Reader) => (language === 'en' ? 'en-GB' : language)
const sayNumber = (value: unknown, reader: Reader, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(localeOf(reader), {
    ...options,
    ...(reader.language === 'en' && { useGrouping: false }),
  }).format(Number(value))
function sayTime(value: unknown, reader: Reader, options: Intl.DateTimeFormatOptions): string {
  const said = new Intl.DateTimeFormat(localeOf(reader), options).format(new Date(String(value)))
  return reader.language === 'en' ? said.replace(' at ', ', ') : said
}

const inZone = (options: Intl.DateTimeFormatOptions, { zone }: Reader) => ({
  ...options,
  ...(zone && { timeZone: zone }),
})

/**
 * Formats a parameter. Its name decides whether it is money, coins, a day or a time; all others stay as they are. Money
 * is in EUR unless the parameter `currency` says otherwise.
 */
function inWords(name: string, value: unknown, currency: unknown, reader: Reader): string {
  const moment = inZone(MOMENT, reader)
  if (MONEY.has(name)) return sayNumber(value, reader, moneyIn(String(currency ?? 'EUR'), reader))
  if (name === 'coins') return sayNumber(value, reader, { minimumFractionDigits: 2 })
  if (name === 'day') return sayTime(value, reader, { ...DAY, timeZone: 'UTC' })
  if (name === 'until') return sayTime(value, reader, moment)
  if (name === 'at') return sayTime(value, reader, { ...moment, year: 'numeric' })
  return String(value)
}
