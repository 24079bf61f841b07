import { plural, t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { fullDay } from '#domain/dates.ts'
import type { BankEntry } from '#domain/imports/bank-statement.ts'
import { decode, Unreadable } from '#domain/imports/row.ts'
import { formatMoney } from '#domain/money.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import { paymentKeys } from '../payments/payments.queries.ts'
import { seatKeys } from '../payments/seats.queries.ts'

/** A payment that may match a statement entry. */
export interface Paid {
  payment: string
  member: string
  plan: string
  amount: number
  currency: string
  /** ISO timestamp. */
  due: string
  by?: 'reference' | 'name' | 'choice'
}

type EntryFate =
  | ('pays' | 'choose' | 'done' | 'confirmed' | 'twice' | 'amount')
  | ('cancelled' | 'nothing' | 'currency' | 'debit' | 'pending')

/** The database's match for an entry (private.entry_fates). */
export interface FatedEntry {
  key: string
  fate: EntryFate
  params: Partial<Paid> & { of?: Paid[] }
}

/** Reads all entries of bank statements. Throws `Unreadable` with the reason. */
export async function readStatements(files: readonly File[]): Promise<BankEntry[]> {
  const { readBankStatement, withoutCopies } = await import('#domain/imports/bank-statement.ts')
  const { unzipped } = await import('#domain/imports/unzip.ts')
  const statements = await Promise.all(
    files.map(async (file) => unzipped(new Uint8Array(await file.arrayBuffer()))),
  )
  const entries = withoutCopies(statements.flat().map((bytes) => readBankStatement(decode(bytes))))
  if (entries.length > LIMITS.mostImportedRows)
    throw new Unreadable(t`There are more than ${LIMITS.mostImportedRows} entries. Choose a shorter time.`)
  if (entries.length === 0) throw new Unreadable(t`There is no entry in it.`)
  return entries
}

/**
 * Returns the entries as they are sent to the database, each with the payment that the owner has chosen for it. Of
 * entries that are not incoming money, only the key and the kind leave the browser.
 */
const asked = (entries: readonly BankEntry[], chosen: Readonly<Record<string, string>> = {}) =>
  entries.map(({ account: _stays, ...entry }) =>
    entry.kind ? { key: entry.key, kind: entry.kind } : { ...entry, payment: chosen[entry.key] ?? null },
  ) as never

export const proposalsQuery = (entries: readonly BankEntry[]) =>
  query({
    key: [...paymentKeys.all, 'proposals', entries],
    load: async (signal): Promise<FatedEntry[]> =>
      (await rpc(
        'propose_direct_payments',
        { p_entries: asked(entries) },
        signal,
      )) as unknown as FatedEntry[],
  })

export const useConfirmAll = (entries: readonly BankEntry[], onDone: (fates: FatedEntry[]) => void) =>
  useChange({
    run: async (chosen: Readonly<Record<string, string>>) =>
      (await rpc('confirm_direct_payments', {
        p_entries: asked(entries, chosen),
      })) as unknown as FatedEntry[],
    stale: [paymentKeys.all, seatKeys.all],
    done: (fates) => {
      const done = fates.filter(({ fate }) => fate === 'done').length
      toastSuccess(plural(done, { one: '# payment received', other: '# payments received' }))
      onDone(fates)
    },
    failed: (problem) => explain(problem, t`That didn’t work. Please try again.`),
  })

/** Text such as "Marc for Netflix Premium, due 3 May 2026". */
export const paidInWords = ({ member, plan, due = '' }: Partial<Paid>): string =>
  t`${member ?? ''} for ${plan ?? ''}, due ${fullDay(due)}`

/** The text for an entry. */
export function entryInWords(entry: BankEntry, { fate, params }: FatedEntry): string {
  const { member = '', amount = 0, currency } = params
  switch (fate) {
    case 'pays':
      return params.by === 'reference' ? t`Has its reference.` : t`No reference, but amount and name fit.`
    case 'choose':
      return t`The amount fits. Is it one of these?`
    case 'done':
      return t`Received. ${member} now has a receipt.`
    case 'confirmed':
      return t`Confirmed already.`
    case 'twice':
      return t`${member}’s payment is paid by another entry already.`
    case 'amount':
      return t`Has the reference of ${member}’s payment, but that is ${formatMoney(amount, currency)}. Confirm it there if you agree.`
    case 'cancelled':
      return t`${member}’s payment was called off. You may owe it back.`
    case 'currency':
      return t`In ${entry.currency}: nothing is due in this currency.`
    case 'debit':
      return t`Money out, or taken back.`
    case 'pending':
      return t`Not booked yet.`
    case 'nothing':
      return t`No open payment fits.`
  }
}
