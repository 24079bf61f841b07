import { t } from '@lingui/core/macro'
import { digitsOf } from '@potluck/supabase/currency'
import { LIMITS } from '@potluck/supabase/limits'
import type { ImportedRow } from '#domain/imports/row.ts'
import type { BillingCycle, Plan } from '#domain/plan.ts'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { RULE_BROKEN, toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { withSeller } from '#lib/seller.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'
import { planKeys } from '../shared-plans/plans.queries.ts'

/** The import result of a row, as private.preview_import names it. */
export type Fate =
  | ('new' | 'own' | 'choose' | 'date' | 'alone' | 'name' | 'people' | 'done' | 'shared' | 'twice' | 'theirs')
  | ('single' | 'closed' | 'currency' | 'price' | 'shares' | 'varies' | 'title' | 'plans' | 'guests')
  | ('irregular' | 'once' | 'ended' | 'repayment' | 'lifetime')

/** A row's import result, with the values for its text. */
export interface Fated {
  key: string
  fate: Fate
  params: {
    provider?: string
    /** The catalogue plan: id, name, price for a cycle and maximum number of people. An own plan has the id `own`. */
    plan?: string
    name?: string
    price?: number
    cycle?: BillingCycle
    most?: number
    places?: number
    /** The provider in the catalogue that an own plan may be of. */
    sold?: string
    /** Of an own plan: its currency, the months of a cycle, what each member pays, and what is left for the owner. */
    currency?: string
    months?: number
    people?: { name: string; share?: number }[]
    rest?: number
    website?: string
    /** A person's name that is not allowed. */
    refused?: string
    renews?: string
    /** The possible renewal days, if the file is ambiguous. */
    dates?: string[]
    /** The id and status of the created plan, which staff may have to review first. */
    id?: string
    status?: Plan['status']
    invited?: { email: string; refusal?: object }[]
    /** The secrets of the links of people without an account. */
    links?: { name: string; link: string }[]
  }
}

/** The `fate` values of rows that stay unless the person asks for them: choosing people or a plan can change them. */
export const ANSWERABLE: readonly Fate[] = ['alone', 'price', 'shares', 'varies']

/** The person's choices for a row. */
export interface Choice {
  plan?: string | null
  places?: number
  renews?: string | null
  /** The names of those who have a place. */
  people?: readonly string[]
  /** E-mail addresses by name: these people are invited, and the others get a link. */
  invite?: Record<string, string>
  /** True if the row must not become a plan. */
  off?: boolean
}

/** True if a row is turned off: by the person's choice, or by default if the file does not say who pays. */
export const isOff = (row: ImportedRow, me: string | null, choice: Choice = {}) =>
  choice.off ?? (me !== null && row.payer === null)

/** The plan of a row whose terms are those of the file. */
export const OWN = 'own'

/** The row's people other than the person themself. */
const othersIn = (row: ImportedRow, me: string | null) => row.people.filter((name) => name !== me)

/** Those who get a place unless the person chooses others: everybody, but nobody of more than a plan can have. */
export const peopleOf = (row: ImportedRow, me: string | null, choice: Choice = {}) => {
  const others = othersIn(row, me)
  return choice.people ?? (others.length < LIMITS.mostPeople ? others : [])
}

/** How the row's people divide its price, as private.own_import() reads it. */
function division(row: ImportedRow, me: string | null) {
  const isOutside = row.group !== null && me !== null && !row.people.includes(me)
  if (row.rule !== 'equal' || !isOutside || row.price === null) return row
  // The person has no part in an equal split, so each of the others pays an amount of their own.
  const units = 10 ** digitsOf(row.currency)
  const part = Math.floor(Math.round(row.price * units) / row.people.length) / units
  return { rule: 'amount', parts: row.people.map(() => part) }
}

/** A row as sent to the database. `me` is the person's name in the file. */
export function asked(row: ImportedRow, index: number, me: string | null, choice: Choice = {}) {
  const { rule, parts } = division(row, me)
  const people = peopleOf(row, me, choice)
  const addressOf = (name: string) => (choice.plan === OWN ? '' : (choice.invite?.[name] ?? '').trim())
  return {
    key: String(index),
    ...{ name: row.name, kind: row.kind, price: row.price, currency: row.currency },
    ...{ unit: row.unit, every: row.every, unsteady: row.unsteady, date: row.date, dates: row.dates },
    payer: row.payer === me || me === null ? null : row.payer,
    plan: choice.plan ?? null,
    places: choice.places ?? row.places,
    renews: choice.renews ?? null,
    // The number of people in the file, which decides whether the row is the catalogue's plan.
    size: row.people.length > 0 ? Math.max(row.places ?? 0, othersIn(row, me).length + 1) : null,
    ...{ rule, website: row.website, note: row.note },
    label: row.group || t({ message: 'Group', context: 'the name of a shared plan that has no other' }),
    people: people
      .filter((name) => addressOf(name) === '')
      .map((name) => ({ name, part: parts[row.people.indexOf(name)] ?? null })),
    invite: [...row.invite, ...people.map(addressOf)].filter((address) => address.trim() !== ''),
  }
}
export type Asked = ReturnType<typeof asked>

export const previewQuery = (rows: readonly Asked[]) =>
  query({
    key: ['import', rows.map(({ invite, ...row }) => ({ ...row, invited: invite.length }))],
    load: async (signal): Promise<Fated[]> =>
      (await rpc('preview_import', { p_rows: rows as never }, signal)) as unknown as Fated[],
  })

export const useImport = (onDone: (fates: Fated[]) => void) =>
  useChange({
    run: async ({ rows, isPrivate }: { rows: readonly Asked[]; isPrivate: boolean }) =>
      withSeller(() =>
        withAge(
          async () =>
            (await rpc('import_plans', {
              p_rows: rows as never,
              p_private: isPrivate,
            })) as unknown as Fated[],
        ),
      ),
    stale: [planKeys.all, ['import']],
    done: onDone,
    failed: (problem) => explain(problem, t`Nothing was brought along. Please try again.`),
  })

/** Makes our server query a Wallos server on the internet, and returns its two answers: subscriptions, currencies. */
export const useAskWallos = (onAnswers: (answers: string[]) => void) =>
  useChange({
    run: async (body: { address: string; key: string }): Promise<string[]> => {
      const { data, error } = await supabase().functions.invoke('import/wallos', { body })
      if (!error) return data
      const said = error.context instanceof Response ? await error.context.json().catch(() => null) : null
      throw toAppError(said ?? error)
    },
    done: onAnswers,
    failed: (problem) =>
      explain(problem, ({ code }) => [
        t`Wallos was not read`,
        code === RULE_BROKEN
          ? t`Its address must be on the internet and start with https://. For one at home, choose its two answers below.`
          : t`It did not answer. Check the address and the key.`,
      ]),
  })
