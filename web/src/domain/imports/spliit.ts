import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { recurring } from './recurring.ts'
import { currencyOf, type ImportedRow, type ImportedRule, Unreadable, uniqueNames } from './row.ts'

const UNITS = { NONE: null, DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const

/** How an expense is split: hundredths of a share, of a percent, or of the amount. */
type Split = 'EVENLY' | 'BY_SHARES' | 'BY_PERCENTAGE' | 'BY_AMOUNT'

const share = z.object({ participantId: z.string(), shares: z.coerce.number() })

// As `src/app/groups/[groupId]/expenses/export/json/route.ts` of spliit-app/spliit writes it (commit edcf11e of 19 August 2026).
const group = z.object({
  name: z.catch(z.string(), ''),
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
      splitMode: z.catch(
        z._default(z.enum(['EVENLY', 'BY_SHARES', 'BY_PERCENTAGE', 'BY_AMOUNT']), 'BY_SHARES'),
        'BY_SHARES',
      ),
      isReimbursement: z._default(z.boolean(), false),
      recurrenceRule: z.catch(z.nullish(z.enum(['NONE', 'DAILY', 'WEEKLY', 'MONTHLY'])), null),
    }),
  ),
})

/** Reads the JSON that Spliit exports a group to. */
export function readSpliit(text: string): ImportedRow[] {
  const { data } = group.safeParse(jsonOf(text))
  if (!data) throw new Unreadable(t`This is not a Spliit export. In Spliit, choose Export, then JSON.`)
  const labels = uniqueNames(data.participants.map(({ name }) => name.trim() || '?'))
  const names = new Map(data.participants.map(({ id }, at) => [id, labels[at] ?? '?']))
  const own = currencyOf(data.currencyCode || data.currency)
  return recurring(
    data.expenses.map((one) => {
      const abroad = one.originalCurrency && currencyOf(one.originalCurrency) !== own
      const currency = abroad ? currencyOf(one.originalCurrency ?? '') : own
      const amount = (abroad ? one.originalAmount : one.amount) ?? one.amount
      const payers = (one.paidByList ?? []).filter(({ shares }) => shares > 0)
      const [payer, ...others] =
        payers.length > 0 ? payers.map(({ participantId }) => participantId) : [one.paidById ?? undefined]
      const units = 10 ** digitsOf(currency)
      const sharing = one.paidFor.filter(
        ({ participantId, shares }) => shares > 0 && names.has(participantId),
      )
      return {
        ...{ title: one.title, currency, amount: amount / units },
        date: one.expenseDate.slice(0, 10),
        payer: payer === undefined || others.length > 0 ? null : (names.get(payer) ?? null),
        people: sharing.map(({ participantId }) => names.get(participantId) ?? ''),
        ...divided(
          one.splitMode,
          sharing.map(({ shares }) => shares),
          amount,
          units,
        ),
        repeats: UNITS[one.recurrenceRule ?? 'NONE'],
        isRepayment: one.isReimbursement,
      }
    }),
    data.name,
  )
}

/**
 * How an expense of `amount` of the smallest unit is split. Spliit takes what it stores as a ratio, whatever the mode.
 * Amounts are rounded down, since the plan's owner bears the rest.
 */
function divided(
  mode: Split,
  shares: readonly number[],
  amount: number,
  units: number,
): { rule: ImportedRule; parts: number[] } {
  const total = shares.reduce((sum, one) => sum + one, 0)
  if (mode === 'EVENLY' || shares.every((one) => one === shares[0])) return { rule: 'equal', parts: [] }
  if (mode === 'BY_PERCENTAGE' && total === 10_000 && shares.every(Number.isInteger))
    return { rule: 'percent', parts: shares.map((one) => one / 100) }
  if (!shares.every((one) => Number.isSafeInteger(one * amount))) return { rule: 'unclear', parts: [] }
  return { rule: 'amount', parts: shares.map((one) => Math.floor((one * amount) / total) / units) }
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
