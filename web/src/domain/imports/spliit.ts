import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { recurring } from './recurring.ts'
import { currencyOf, type ImportedRow, Unreadable } from './row.ts'

const UNITS = { NONE: null, DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const

const share = z.object({ participantId: z.string(), shares: z.coerce.number() })

const group = z.object({
  currency: z._default(z.string(), ''),
  currencyCode: z.nullish(z.string()),
  participants: z.array(z.object({ id: z.string(), name: z.string() })),
  expenses: z.array(
    z.object({
      title: z.string(),
      expenseDate: z.string(),
      /** In the currency's smallest unit. `originalAmount` is the amount in the currency in which it was paid. */
      amount: z.number(),
      originalAmount: z.nullish(z.coerce.number()),
      originalCurrency: z.nullish(z.string()),
      /** Newer versions send `paidByList` instead: the amount that each payer paid. */
      paidById: z.nullish(z.string()),
      paidByList: z.nullish(z.array(share)),
      /** Shares may be hundredths, percents or amounts; everybody with a share takes part. */
      paidFor: z.array(share),
      isReimbursement: z._default(z.boolean(), false),
      recurrenceRule: z.catch(z.nullish(z.enum(['NONE', 'DAILY', 'WEEKLY', 'MONTHLY'])), null),
    }),
  ),
})

/** Reads the JSON that Spliit exports a group to. */
export function readSpliit(text: string): ImportedRow[] {
  const { data } = group.safeParse(jsonOf(text))
  if (!data) throw new Unreadable(t`This is not a Spliit export. In Spliit, choose Export, then JSON.`)
  const names = new Map(data.participants.map(({ id, name }) => [id, name]))
  const own = currencyOf(data.currencyCode || data.currency)
  return recurring(
    data.expenses.map((one) => {
      const abroad = one.originalCurrency && currencyOf(one.originalCurrency) !== own
      const currency = abroad ? currencyOf(one.originalCurrency ?? '') : own
      const amount = (abroad ? one.originalAmount : one.amount) ?? one.amount
      const payers = (one.paidByList ?? []).filter(({ shares }) => shares > 0)
      const [payer, ...others] =
        payers.length > 0 ? payers.map(({ participantId }) => participantId) : [one.paidById ?? undefined]
      return {
        ...{ title: one.title, currency, amount: amount / 10 ** digitsOf(currency) },
        date: one.expenseDate.slice(0, 10),
        payer: payer === undefined || others.length > 0 ? null : (names.get(payer) ?? null),
        people: one.paidFor.flatMap(({ participantId, shares }) =>
          shares > 0 ? (names.get(participantId) ?? []) : [],
        ),
        repeats: UNITS[one.recurrenceRule ?? 'NONE'],
        isRepayment: one.isReimbursement,
      }
    }),
  )
}

const digitsOf = (currency: string): number =>
  /^[A-Z]{3}$/.test(currency)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2)
    : 2

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{FEFF}/u, ''))
  } catch {
    return null
  }
}
