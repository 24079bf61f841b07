// The words of documents, such as invoices, in English or in the reader's language.
import { digitsOf } from '../currency.ts'
import { english, languages } from './languages.ts'
import { planNameIn } from './plan-names.ts'
import { render } from './render.ts'

/** The words of all documents, which `npm run messages` passes to the translators. */
export const PAPER_WORDS = [
  // Every document
  'Page {page} of {pages}',

  // Invoices and credit notes
  'Invoice',
  'Credit note',
  'Number',
  'Date',
  'Paid on',
  'Corrects invoice',
  'Seller',
  'Buyer',
  'VAT number',
  'Tax number',
  'Description',
  'Net',
  'VAT',
  'Total',
  'Convenience fee',
  'Paid. There is nothing left to pay.',
  'This amount comes back to you the way you paid it.',
  'Not subject to VAT in the EU: the buyer lives elsewhere.',
  'The VAT is that of the country where the buyer lives.',

  // Statements of a year
  'The year {year}',
  '{first} until today, {today}',
  'Person',
  'Time zone',
  'For',
  'What',
  'Amount',
  'Fee',
  'Not answered',
  'Card',
  'Wallet',
  'Account at Stripe',
  'Paid directly',
  'Balance before',
  'Balance after',
  'Nothing moved in this year.',
  'What came is positive, what went is negative. What two people paid each other directly is as they have said.',

  'What we report to the tax office (DAC7)',
  'Quarter',
  'Earned',
  'Paid months',
  'Quarters are those of our books and can begin some hours before or after yours. The report has whole euros.',

  // Kinds of movements, as in the wallet
  'Carried over',
  'Payment',
  'Payment returned',
  'Earning',
  'Refunded',
  'Refund sent',
  'Refund failed',
  'Withdrawal',
  'Withdrawal returned',
  'Correction',
  'Chargeback',
  'Chargeback won',
  'Debt paid',
  'Given up',
  'From a closed account',
  'Moved to own account',
  'Not accepted by own account',
  'Paid out',
  'Payout returned',
] as const
export type PaperWord = (typeof PAPER_WORDS)[number]

/** The words and formats of a document, in the reader's language. */
export interface Speech {
  /** A BCP 47 tag. */
  language: string
  say(words: PaperWord, params?: Record<string, unknown>): string
  money(amount: number, currency?: string): string
  /** `day` is YYYY-MM-DD. */
  day(day: string): string
  /** `rate` is a fraction, such as 0.19. */
  percent(rate: number): string
  /** Returns the name of a country. `code` is two letters, such as DE. */
  country(code: string): string
  /** Returns the name of a plan, with what the catalogue added to it translated. */
  plan(name: string): string
}

export function speechIn(language: string | null): Speech {
  const known = language === null ? undefined : languages[language]
  const tag = known && language !== null ? language : 'en-GB'
  const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames(tag, { type: 'region' })
  return {
    language: tag,
    say: (words, params = {}) =>
      render((known ?? english).papers[words] ?? words, params, { language: tag }) ?? words,
    money: (amount, currency = 'EUR') => {
      const digits = digitsOf(currency)
      const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      return new Intl.NumberFormat(tag, { style: 'currency', currency, ...format }).format(amount)
    },
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    percent: (rate) => percents.format(rate),
    country: (code) => countries.of(code) ?? code,
    plan: (name) => planNameIn(tag, name),
  }
}
