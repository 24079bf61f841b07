// Creates the yearly statement of a person's money as PDF: sums by kind, then every movement, in the person's language
// and time zone.
import { drawPaper, type Paper, type Table } from '../_shared/pdf.ts'
import { type PaperWord, type Speech, speechIn } from '../_shared/words/papers.ts'

type Account = 'card' | 'wallet' | 'connected' | 'direct'
interface Sum {
  account: Account
  currency: string
  kind: string
  part: 'fee' | 'unanswered' | null
  amount: number
}

/** The answer of `yearly_statement()`. */
export interface Statement {
  year: number
  /** The last day of the statement, YYYY-MM-DD: the last day of the year, or today. */
  until: string
  zone: string
  language: string | null
  name: string | null
  /** The name of the site's operator; null if the site does not name one. */
  operator: string | null
  accounts: {
    account: Account
    currency: string
    opening: number | null
    closing: number | null
    moved: number
  }[]
  sums: Sum[]
  rows: (Sum & { at: string; about: string })[]
  /** The figures reported to the tax office, by quarter; null if nothing is reported. */
  reported: Record<'consideration' | 'fees' | 'activities', number[]> | null
}

const ACCOUNTS: Record<Account, PaperWord> = {
  card: 'Card',
  wallet: 'Wallet',
  connected: 'Account at Stripe',
  direct: 'Paid directly',
}

/** Words for the ledger's kinds of movements. */
export const KINDS: Readonly<Record<string, PaperWord>> = {
  opening: 'Carried over',
  payment: 'Payment',
  'payment-returned': 'Payment returned',
  earning: 'Earning',
  refund: 'Refunded',
  'refund-sent': 'Refund sent',
  'refund-failed': 'Refund failed',
  withdrawal: 'Withdrawal',
  'withdrawal-returned': 'Withdrawal returned',
  adjustment: 'Correction',
  chargeback: 'Chargeback',
  'chargeback-won': 'Chargeback won',
  debt: 'Debt paid',
  'given-up': 'Given up',
  'handed-over': 'From a closed account',
  account: 'Moved to own account',
  'account-failed': 'Not accepted by own account',
  payout: 'Paid out',
  'payout-failed': 'Payout returned',
}

/** Draws the statement in `language`, a code of two letters, or else in the language of the person's profile. */
export function drawStatement(statement: Statement, language: unknown): Promise<Uint8Array> {
  const speech = speechIn(
    typeof language === 'string' && /^[a-z]{2}$/.test(language) ? language : statement.language,
  )
  return drawPaper(paperOf(statement, speech), speech)
}

function paperOf(
  { year, until, zone, name, operator, accounts, sums, rows, reported }: Statement,
  speech: Speech,
): Paper {
  const { say, day } = speech
  return {
    title: say('The year {year}', { year }),
    author: { name: operator ?? 'Potluck', foot: [name, year].filter(Boolean).join(', ') },
    day: until,
    blocks: [
      { heading: say('Person'), lines: [name ?? ''] },
      { heading: say('Time zone'), lines: [zone] },
    ],
    parts: [
      ...(accounts.length === 0 ? [say('Nothing moved in this year.')] : []),
      ...accounts.map((one) => sumsOf(one, sums, speech)),
      ...(reported === null ? [] : reportedIn(reported, speech)),
      ...(rows.length === 0 ? [] : [movements(rows, zone, speech)]),
      say(
        'What came is positive, what went is negative. What two people paid each other directly is as they have said.',
      ),
      until === `${year}-12-31`
        ? `${day(`${year}-01-01`)} – ${day(until)}`
        : say('{first} until today, {today}', { first: day(`${year}-01-01`), today: day(until) }),
    ],
  }
}

const nameOf = ({ kind, part }: Pick<Sum, 'kind' | 'part'>, say: Speech['say']) => {
  const word = KINDS[kind]
  const name = word === undefined ? kind : say(word)
  return part === null ? name : `${name} (${say(part === 'fee' ? 'Fee' : 'Not answered')})`
}

function sumsOf(
  { account, currency, opening, closing, moved }: Statement['accounts'][number],
  sums: readonly Sum[],
  { say, money }: Speech,
): Table {
  const balance = (word: PaperWord, amount: number) => [say(word), money(amount, currency)]
  return {
    head: [say(ACCOUNTS[account]), say('Amount')],
    numbers: 1,
    rows: [
      ...(opening === null ? [] : [balance('Balance before', opening)]),
      ...sums
        .filter((sum) => sum.account === account && sum.currency === currency)
        .map((sum) => [nameOf(sum, say), money(sum.amount, currency)]),
    ],
    sums: closing === null ? balance('Total', moved) : balance('Balance after', closing),
  }
}

function reportedIn(
  { consideration, fees, activities }: NonNullable<Statement['reported']>,
  { say, money }: Speech,
): (Table | string)[] {
  return [
    say('What we report to the tax office (DAC7)'),
    {
      head: [say('Quarter'), say('Paid months'), say('Fee'), say('Earned')],
      numbers: 3,
      rows: consideration.map((earned, index) => [
        String(index + 1),
        String(activities[index]),
        money(fees[index] ?? 0),
        money(earned),
      ]),
    },
    say(
      'Quarters are those of our books and can begin some hours before or after yours. The report has whole euros.',
    ),
  ]
}

function movements(rows: Statement['rows'], zone: string, { language, say, money, plan }: Speech): Table {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeZone: zone })
  return {
    head: [say('For'), say('What'), say('Date'), say('Amount')],
    numbers: 1,
    rows: rows.map((row) => [
      plan(row.about),
      `${say(ACCOUNTS[row.account])}: ${nameOf(row, say)}`,
      days.format(new Date(row.at)),
      money(row.amount, row.currency),
    ]),
  }
}
